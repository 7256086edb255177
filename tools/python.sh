#!/bin/sh
# Prints a Python that can make our virtual environment: 3.11 or newer, with venv and pip.
# Asked for one by name ($1), it takes that one or none.
set -u
least="3.11"
candidates=${1:-"python3 python3.14 python3.13 python3.12 python3.11 python"}

found=""
for name in $candidates; do
    command -v "$name" >/dev/null 2>&1 || continue
    found="$name ($("$name" --version 2>&1))"
    "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue
    if "$name" -c 'import venv, ensurepip' 2>/dev/null; then
        command -v "$name"
        exit 0
    fi
    echo "lostcities: $found lacks the venv module; on Debian or Ubuntu: sudo apt-get install python3-venv" >&2
    exit 1
done

if [ -n "$found" ]; then
    echo "lostcities: needs Python $least or newer, and found only $found; name another with make PYTHON=/path/to/python" >&2
else
    echo "lostcities: needs Python $least or newer, and found no Python (looked for: $candidates)" >&2
fi
exit 1
