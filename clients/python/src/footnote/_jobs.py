from __future__ import annotations

import math
import random
import time
import typing as t

from ._call import LONGEST_WAIT, Call, is_passing, quote, retry_delay
from ._errors import FootnoteError, TimeoutError
from ._events import MOST_BREAKS, EventParser, Following, is_over
from .generated import async_operations, operations
from .generated.models import Job, JobEvent

LONGEST_HOLD = 60
"""Seconds that the service holds a request for at most."""

LONGEST_LATENESS = 30.0
"""A try is never given longer than this beside what it is held for: what is silent then is dead."""

LAST_LOOK = 2.0
"""What an answer may come later than the end, and what the look of `timeout=0` has.

A far service's first answer takes four round trips of 0.3 s, for its name, the connection, TLS and the question.
"""

MOST_FAILURES = 10
"""How often in a row nothing may come, where no `timeout` says how long."""


class Waiting:
    """How long to wait for a job, with which requests, and for how long to pause between them."""

    def __init__(self, id: str, timeout: t.Optional[float]) -> None:
        self._id = id
        self._timeout = timeout
        self._end = math.inf if timeout is None else time.monotonic() + timeout
        self._began = 0.0
        self._hold = 0
        self._failures = 0

    def _left(self) -> float:
        return max(0.0, self._end - time.monotonic())

    def call(self) -> Call:
        left = self._left()
        self._began = time.monotonic()
        self._hold = math.floor(min(LONGEST_HOLD, left))
        within = min(self._hold + LONGEST_LATENESS, left + LAST_LOOK)
        return Call("GET", f"/v1/jobs/{quote(self._id)}", query={"wait": self._hold}, timeout=within, retries=0)

    def going_on(self, job: Job) -> float:
        """Seconds until the next look at a job that is not over; raises where the time is."""
        left = self._left()
        if left == 0:
            raise TimeoutError(f"{self._id} is still {job.status} after {self._timeout} s")
        self._failures = 0
        # A service that drains holds nothing, for 5 s and more, and all that wait would ask it as fast as it answers.
        at_once = time.monotonic() - self._began < max(1, self._hold) * 0.5
        return min(random.uniform(0.5, 1.0), left) if at_once else 0.0

    def failed(self, error: FootnoteError) -> t.Tuple[float, t.Optional[TimeoutError]]:
        """Seconds to wait after a try that brought nothing, and what to raise then; raises what does not pass."""
        delay: t.Optional[float] = None
        if is_passing(error) and (self._timeout is not None or self._failures < MOST_FAILURES):
            most = LONGEST_WAIT if self._timeout is None else math.inf
            delay = retry_delay(error, self._failures, most)
        if delay is None:
            raise error
        self._failures += 1
        left = self._left()
        if delay < left:
            return delay, None
        return left, TimeoutError(f"{self._id} could not be read to its end within {self._timeout} s: {error}")


class Jobs(operations.JobsOperations):
    def wait(self, id: str, *, timeout: t.Optional[float] = None) -> Job:
        """The job once it is over: succeeded, failed or cancelled; its `status` says which.

        Raises `TimeoutError` where that takes more seconds than `timeout`, while the job goes on, also where the
        service was busy or away until then (its `__cause__`), and `ApiError` where there is no such job. Without a
        `timeout` it raises what went wrong where eleven tries in a row bring nothing, or where the service asks to be
        left alone for more than a minute.
        """
        waiting = Waiting(id, timeout)
        while True:
            try:
                job = self._transport.json(Job, waiting.call())
            except FootnoteError as error:
                delay, late = waiting.failed(error)
                self._transport.sleep(delay)
                if late is not None:
                    raise late from error
                continue
            if is_over(job.status):
                return job
            pause = waiting.going_on(job)
            if pause > 0:
                self._transport.sleep(pause)

    def events(self, id: str, *, last_event_id: t.Optional[int] = None) -> t.Iterator[JobEvent]:
        """What happens to a job, from its beginning or after `last_event_id`, until it is over.

        Takes up after the last event where the connection breaks off; raises `ApiError` where the service refuses (401,
        404), and what went wrong where ten connections in a row bring nothing.
        """
        following = Following(id, last_event_id)
        while True:
            failure: FootnoteError = following.ended()
            try:
                with self._transport.open(following.call()) as pieces:
                    parser = EventParser()
                    for piece in pieces:
                        for data in parser.feed(piece):
                            event = JobEvent.model_validate_json(data)
                            following.came(event.id)
                            yield event
                            if event.type == "status" and is_over(event.status):
                                return
                if following.nothing_more():
                    return
                following.over = is_over(self._transport.json(Job, following.job()).status)
            except FootnoteError as error:
                if not is_passing(error):
                    raise
                failure = error
            delay = retry_delay(failure, following.breaks) if following.breaks < MOST_BREAKS else None
            if delay is None:
                raise failure
            following.breaks += 1
            self._transport.sleep(delay)


class AsyncJobs(async_operations.AsyncJobsOperations):
    async def wait(self, id: str, *, timeout: t.Optional[float] = None) -> Job:
        """As `Jobs.wait`."""
        waiting = Waiting(id, timeout)
        while True:
            try:
                job = await self._transport.json(Job, waiting.call())
            except FootnoteError as error:
                delay, late = waiting.failed(error)
                await self._transport.sleep(delay)
                if late is not None:
                    raise late from error
                continue
            if is_over(job.status):
                return job
            pause = waiting.going_on(job)
            if pause > 0:
                await self._transport.sleep(pause)

    async def events(self, id: str, *, last_event_id: t.Optional[int] = None) -> t.AsyncIterator[JobEvent]:
        """As `Jobs.events`."""
        following = Following(id, last_event_id)
        while True:
            failure: FootnoteError = following.ended()
            try:
                async with self._transport.open(following.call()) as pieces:
                    parser = EventParser()
                    async for piece in pieces:
                        for data in parser.feed(piece):
                            event = JobEvent.model_validate_json(data)
                            following.came(event.id)
                            yield event
                            if event.type == "status" and is_over(event.status):
                                return
                if following.nothing_more():
                    return
                following.over = is_over((await self._transport.json(Job, following.job())).status)
            except FootnoteError as error:
                if not is_passing(error):
                    raise
                failure = error
            delay = retry_delay(failure, following.breaks) if following.breaks < MOST_BREAKS else None
            if delay is None:
                raise failure
            following.breaks += 1
            await self._transport.sleep(delay)
