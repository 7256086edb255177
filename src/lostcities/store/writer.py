"""The one thread that writes, with natural group commit.

Whatever arrived while the last commit ran goes into the next transaction together; nothing waits
for a timer. The rows of all jobs are first tried as one insert a table; if one of them is taken
already, the batch is rolled back and every job gets a transaction of its own, so that only the job
in conflict fails.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection, Engine, Table, insert
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from lostcities.store.engine import reason_of
from lostcities.store.interfaces import ConflictError, StoreError

T = TypeVar("T")
Rows = Sequence[tuple[Table, list[dict[str, Any]]]]
"""Rows to insert, a list a table, in an order that foreign keys allow."""

MAX_BATCH = 1000
"""Jobs in one transaction at most, so that the first of them does not wait for too many others."""


@dataclass(slots=True)
class Job(Generic[T]):
    """Rows to insert, or a function to run, in one transaction; and who waits for it."""

    rows: Rows
    call: Callable[[Connection], T] | None
    future: asyncio.Future[T | None]
    loop: asyncio.AbstractEventLoop


class Writer:
    """Owns the writing connection.

    Args:
        engine: see :func:`lostcities.store.engine.make_engine`.
        prepare: run once on the connection before anything else, and again after a reconnect.
        tables: every table in an order that foreign keys allow.
        fatal: called, on this thread, when the outcome of a commit is unknown. It must not return:
            going on might acknowledge what is not on disk, or refuse what is.
    """

    def __init__(
        self,
        engine: Engine,
        prepare: Callable[[Connection], None],
        tables: Sequence[Table],
        fatal: Callable[[str], None],
    ) -> None:
        self._engine = engine
        self._prepare = prepare
        self._order = {table: index for index, table in enumerate(tables)}
        self._fatal = fatal
        self._jobs: queue.SimpleQueue[Job[Any] | None] = queue.SimpleQueue()
        self._closed = False
        self._connection: Connection | None = None
        self._started: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self.batches = 0
        self.jobs = 0

    def start(self) -> None:
        """Connect and prepare; raises what that raised."""
        self._thread.start()
        error = self._started.get()
        if error is not None:
            self._thread.join()
            raise error

    async def insert(self, rows: Rows, also: Callable[[Connection], None] | None = None) -> None:
        """Insert rows, and do what else belongs in the same transaction; on return it is on disk.

        Raises ConflictError or StoreError.
        """
        await self._submit(rows, also)

    async def call(self, function: Callable[[Connection], T]) -> T:
        """Run a function in a transaction; on return what it did is on disk."""
        result: T = await self._submit((), function)
        return result

    async def _submit(self, rows: Rows, call: Callable[[Connection], Any] | None) -> Any:
        if self._closed:
            raise StoreError("the store is closed")
        loop = asyncio.get_running_loop()
        job: Job[Any] = Job(rows, call, loop.create_future(), loop)
        self._jobs.put(job)
        # A caller that is cancelled must not cancel the job: it may be in a running transaction.
        return await asyncio.shield(job.future)

    def close(self) -> None:
        """Write what is waiting, then let go of the connection."""
        if self._closed:
            return
        self._closed = True
        self._jobs.put(None)
        self._thread.join()

    # ---- on the writer's thread -----------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._connect()
        except BaseException as error:  # noqa: BLE001 - handed to the thread that waits in start()
            self._started.put(error)
            return
        self._started.put(None)
        going = True
        while going:
            batch, going = self._collect()
            if batch:
                self._batch(batch)
        self._disconnect()

    def _connect(self) -> Connection:
        if self._connection is None or self._connection.invalidated:
            self._disconnect()
            connection = self._engine.connect()
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _collect(self) -> tuple[list[Job[Any]], bool]:
        job = self._jobs.get()
        batch: list[Job[Any]] = []
        while job is not None:
            batch.append(job)
            if len(batch) >= MAX_BATCH or self._jobs.empty():
                return batch, True
            job = self._jobs.get()
        return batch, False

    def _batch(self, batch: list[Job[Any]]) -> None:
        self.batches += 1
        self.jobs += len(batch)
        if len(batch) == 1:
            results = [self._alone(batch[0])]
        else:
            results = self._together(batch) or [self._alone(job) for job in batch]
        _resolve(batch, results)

    def _together(self, batch: list[Job[Any]]) -> list[Any] | None:
        """One transaction for all; None if some job conflicts (nothing has been written then)."""
        try:
            return self._transaction(batch)
        except IntegrityError:
            return None
        except (SQLAlchemyError, StoreError) as error:
            return [StoreError(reason_of(error))] * len(batch)

    def _alone(self, job: Job[Any]) -> Any:
        try:
            return self._transaction([job])[0]
        except IntegrityError as error:
            return ConflictError(reason_of(error))
        except (SQLAlchemyError, StoreError) as error:
            return error if isinstance(error, StoreError) else StoreError(reason_of(error))

    def _transaction(self, batch: list[Job[Any]]) -> list[Any]:
        """Do the batch in one transaction; once more if the line had gone dead before it."""
        try:
            return self._try(batch)
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
        return self._try(batch)

    def _try(self, batch: list[Job[Any]]) -> list[Any]:
        connection = self._connect()
        transaction = connection.begin()
        try:
            self._insert(connection, batch)
            results = [None if job.call is None else job.call(connection) for job in batch]
        except BaseException:
            _roll_back(connection, transaction)
            raise
        try:
            transaction.commit()
        except BaseException as error:
            self._fatal(f"the outcome of a commit is unknown: {reason_of(error)}")
            raise AssertionError("the process should have ended") from error
        return results

    def _insert(self, connection: Connection, batch: list[Job[Any]]) -> None:
        together: dict[Table, list[dict[str, Any]]] = {}
        for job in batch:
            for table, rows in job.rows:
                together.setdefault(table, []).extend(rows)
        for table in sorted(together, key=self._order.__getitem__):
            if together[table]:
                connection.execute(insert(table), together[table])


def _roll_back(connection: Connection, transaction: Any) -> None:
    try:
        transaction.rollback()
    except SQLAlchemyError:
        connection.invalidate()  # a lost connection rolls back by itself


def _resolve(batch: list[Job[Any]], results: list[Any]) -> None:
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Any]]] = {}
    for job, result in zip(batch, results, strict=True):
        by_loop.setdefault(job.loop, []).append((job.future, result))
    for loop, outcomes in by_loop.items():
        if not loop.is_closed():
            loop.call_soon_threadsafe(_set_all, outcomes)


def _set_all(outcomes: list[tuple[asyncio.Future[Any], Any]]) -> None:
    for future, result in outcomes:
        if future.done():
            continue
        if isinstance(result, BaseException):
            future.set_exception(result)
        else:
            future.set_result(result)
