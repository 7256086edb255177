"""``python -m lostcities`` is the ``lostcities`` command."""

import sys

from lostcities.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
