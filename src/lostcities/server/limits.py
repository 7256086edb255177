"""How often somebody may do something."""

from __future__ import annotations

import time
from collections import OrderedDict


class Bucket:
    """A bucket of ``size`` tokens that refills by ``rate`` a second; monotonic time."""

    __slots__ = ("_last", "_left", "_rate", "_size")

    def __init__(self, size: int, rate: float) -> None:
        self._size, self._rate = size, rate
        self._left = float(size)
        self._last = time.monotonic()

    def take(self) -> bool:
        """Take a token; false if there is none."""
        now = time.monotonic()
        self._left = min(self._size, self._left + (now - self._last) * self._rate)
        self._last = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Buckets:
    """A bucket for each address, for the last ``KEPT`` of them."""

    KEPT = 10_000

    def __init__(self, size: int, rate: float) -> None:
        self._size, self._rate = size, rate
        self._by_address: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str) -> bool:
        """Take a token of an address; false if it has none."""
        bucket = self._by_address.get(address)
        if bucket is None:
            bucket = self._by_address[address] = Bucket(self._size, self._rate)
            if len(self._by_address) > self.KEPT:
                self._by_address.popitem(last=False)
        self._by_address.move_to_end(address)
        return bucket.take()
