from __future__ import annotations

import math
import time
import typing as t

from ._call import Call, is_passing, quote, retry_delay
from ._errors import FootnoteError, TimeoutError
from ._events import MOST_BREAKS, EventParser, Following, is_over
from .generated import async_operations, operations
from .generated.models import Job, JobEvent

LONGEST_HOLD = 60
"""Seconds that the service holds a request for at most."""


class Waiting:
    """How long to wait for a job, and with which request."""

    def __init__(self, id: str, timeout: t.Optional[float]) -> None:
        self._id = id
        self._timeout = timeout
        self._end = math.inf if timeout is None else time.monotonic() + timeout

    def call(self) -> Call:
        left = math.ceil(max(0.0, min(LONGEST_HOLD, self._end - time.monotonic())))
        return Call("GET", f"/v1/jobs/{quote(self._id)}", query={"wait": left}, timeout=left + 30.0, retries=10)

    def check(self, job: Job) -> None:
        if time.monotonic() >= self._end:
            raise TimeoutError(f"{self._id} is still {job.status} after {self._timeout} s")


class Jobs(operations.JobsOperations):
    def wait(self, id: str, *, timeout: t.Optional[float] = None) -> Job:
        """The job once it is over: succeeded, failed or cancelled; its `status` says which.

        Raises `TimeoutError` where that takes more seconds than `timeout`, while the job goes on, and `ApiError` where
        there is no such job.
        """
        waiting = Waiting(id, timeout)
        while True:
            job = self._transport.json(Job, waiting.call())
            if is_over(job.status):
                return job
            waiting.check(job)

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
            except FootnoteError as error:
                if not is_passing(error):
                    raise
                failure = error
            # Whoever resumed after the last event of a job that is over waits for nothing.
            if is_over(self.get(id).status) and following.breaks > 0:
                return
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
            job = await self._transport.json(Job, waiting.call())
            if is_over(job.status):
                return job
            waiting.check(job)

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
            except FootnoteError as error:
                if not is_passing(error):
                    raise
                failure = error
            # Whoever resumed after the last event of a job that is over waits for nothing.
            if is_over((await self.get(id)).status) and following.breaks > 0:
                return
            delay = retry_delay(failure, following.breaks) if following.breaks < MOST_BREAKS else None
            if delay is None:
                raise failure
            following.breaks += 1
            await self._transport.sleep(delay)
