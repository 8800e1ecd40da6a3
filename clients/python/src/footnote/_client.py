from __future__ import annotations

import time
import typing as t

import anyio
import httpx

from ._async_transport import AsyncTransport
from ._call import DEFAULT_RETRIES, DEFAULT_TIMEOUT
from ._jobs import AsyncJobs, Jobs
from ._transport import Transport
from ._uploads import AsyncUploads, Uploads
from .generated.async_operations import AsyncResources
from .generated.operations import Resources


class Footnote(Resources):
    """A client of one service by one key; close it, or use it in a `with` statement.

    Every method raises `ApiError` for a refusal, and `ConnectionError` or `TimeoutError` where no whole answer came;
    reads, deletes and whatever carries an `Idempotency-Key` are tried again first. `timeout` is how many seconds the
    service may be silent in each try.
    """

    jobs: Jobs
    uploads: Uploads

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        timeout: float = DEFAULT_TIMEOUT,
        retries: int = DEFAULT_RETRIES,
        headers: t.Optional[t.Mapping[str, str]] = None,
        transport: t.Optional[httpx.BaseTransport] = None,
        sleep: t.Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__(
            Transport(
                base_url=base_url,
                api_key=api_key,
                timeout=timeout,
                retries=retries,
                headers=headers,
                transport=transport,
                sleep=sleep,
            )
        )
        self.jobs = Jobs(self._transport)
        self.uploads = Uploads(self._transport)

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> Footnote:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncFootnote(AsyncResources):
    """As `Footnote`, for `async` code; close it with `aclose`, or use it in an `async with` statement."""

    jobs: AsyncJobs
    uploads: AsyncUploads

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        timeout: float = DEFAULT_TIMEOUT,
        retries: int = DEFAULT_RETRIES,
        headers: t.Optional[t.Mapping[str, str]] = None,
        transport: t.Optional[httpx.AsyncBaseTransport] = None,
        sleep: t.Callable[[float], t.Awaitable[None]] = anyio.sleep,
    ) -> None:
        super().__init__(
            AsyncTransport(
                base_url=base_url,
                api_key=api_key,
                timeout=timeout,
                retries=retries,
                headers=headers,
                transport=transport,
                sleep=sleep,
            )
        )
        self.jobs = AsyncJobs(self._transport)
        self.uploads = AsyncUploads(self._transport)

    async def aclose(self) -> None:
        await self._transport.close()

    async def __aenter__(self) -> AsyncFootnote:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
