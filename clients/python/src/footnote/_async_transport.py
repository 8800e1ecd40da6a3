from __future__ import annotations

import contextlib
import json
import typing as t

import anyio
import httpx

from ._call import DEFAULT_RETRIES, DEFAULT_TIMEOUT, Call, is_passing, request_of, retry_delay
from ._errors import FootnoteError, error_of, failure_of
from ._model import Model
from ._pages import AsyncPages, Page

M = t.TypeVar("M", bound=Model)


class AsyncTransport:
    """How requests get to the service and answers back: whole or not at all, tried again where that changes nothing.

    Raises `ApiError` for a refusal, and `ConnectionError` or `TimeoutError` where no whole answer came.
    """

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
        self.retries = retries
        self.sleep = sleep
        self._timeout = timeout
        self._http = httpx.AsyncClient(
            base_url=base_url,
            headers={"user-agent": "footnote-client-python", **(headers or {}), "authorization": f"Bearer {api_key}"},
            transport=transport,
        )

    async def close(self) -> None:
        await self._http.aclose()

    async def send(self, call: Call) -> httpx.Response:
        """The answer, read whole."""

        async def attempt() -> httpx.Response:
            response = await self._http.send(request_of(call, self._http, self._timeout))
            if not response.is_success:
                raise error_of(response)
            return response

        return await self._retried(call, attempt)

    @contextlib.asynccontextmanager
    async def open(self, call: Call) -> t.AsyncIterator[t.AsyncIterator[str]]:
        """The answer's text as it comes; raises where nothing came for `call.timeout`, or where it breaks off."""

        async def attempt() -> httpx.Response:
            response = await self._http.send(request_of(call, self._http, self._timeout), stream=True)
            if not response.is_success:
                await response.aread()
                raise error_of(response)
            return response

        async def text(response: httpx.Response) -> t.AsyncIterator[str]:
            try:
                async for piece in response.aiter_text():
                    yield piece
            except httpx.TransportError as error:
                raise failure_of(error) from error

        response = await self._retried(call, attempt)
        try:
            yield text(response)
        finally:
            await response.aclose()

    async def _retried(self, call: Call, attempt: t.Callable[[], t.Awaitable[httpx.Response]]) -> httpx.Response:
        retries = self.retries if call.retries is None else call.retries
        tried = 0
        while True:
            try:
                try:
                    return await attempt()
                except httpx.TransportError as error:
                    raise failure_of(error) from error
            except FootnoteError as error:
                may = call.may_repeat() and tried < retries and is_passing(error)
                delay = retry_delay(error, tried) if may else None
                if delay is None:
                    raise
            tried += 1
            await self.sleep(delay)

    async def json(self, model: t.Type[M], call: Call) -> M:
        return model.model_validate_json((await self.send(call)).content)

    async def value(self, call: Call) -> t.Any:
        return (await self.send(call)).json()

    async def text(self, call: Call) -> str:
        return (await self.send(call)).text

    async def bytes(self, call: Call) -> bytes:
        return (await self.send(call)).content

    async def none(self, call: Call) -> None:
        await self.send(call)

    def page(self, model: t.Type[M], call: Call) -> AsyncPages[M]:
        async def read(cursor: t.Optional[str]) -> Page[M]:
            query = call.query if cursor is None else {**call.query, "cursor": cursor}
            answer = await self.value(Call(**{**vars(call), "query": query}))
            return Page([model.model_validate(item) for item in answer["data"]], answer["next_cursor"])

        return AsyncPages(read)

    async def lines(self, call: Call) -> t.AsyncIterator[t.Any]:
        """JSON line by line, each as soon as it has come."""
        rest = ""
        async with self.open(call) as pieces:
            async for piece in pieces:
                *lines, rest = (rest + piece).split("\n")
                for line in lines:
                    if line:
                        yield json.loads(line)
        if rest:
            yield json.loads(rest)
