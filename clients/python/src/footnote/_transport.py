from __future__ import annotations

import contextlib
import json
import time
import typing as t

import httpx

from ._call import DEFAULT_RETRIES, DEFAULT_TIMEOUT, Call, is_passing, request_of, retry_delay
from ._errors import FootnoteError, error_of, failure_of
from ._model import Model
from ._pages import Page, Pages

M = t.TypeVar("M", bound=Model)


class Transport:
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
        transport: t.Optional[httpx.BaseTransport] = None,
        sleep: t.Callable[[float], None] = time.sleep,
    ) -> None:
        self.retries = retries
        self.sleep = sleep
        self._timeout = timeout
        self._http = httpx.Client(
            base_url=base_url,
            headers={"user-agent": "footnote-client-python", **(headers or {}), "authorization": f"Bearer {api_key}"},
            transport=transport,
        )

    def close(self) -> None:
        self._http.close()

    def send(self, call: Call) -> httpx.Response:
        """The answer, read whole."""

        def attempt() -> httpx.Response:
            response = self._http.send(request_of(call, self._http, self._timeout))
            if not response.is_success:
                raise error_of(response)
            return response

        return self._retried(call, attempt)

    @contextlib.contextmanager
    def open(self, call: Call) -> t.Iterator[t.Iterator[str]]:
        """The answer's text as it comes; raises where nothing came for `call.timeout`, or where it breaks off."""

        def attempt() -> httpx.Response:
            response = self._http.send(request_of(call, self._http, self._timeout), stream=True)
            if not response.is_success:
                response.read()
                raise error_of(response)
            return response

        def text(response: httpx.Response) -> t.Iterator[str]:
            try:
                yield from response.iter_text()
            except httpx.TransportError as error:
                raise failure_of(error) from error

        response = self._retried(call, attempt)
        try:
            yield text(response)
        finally:
            response.close()

    def _retried(self, call: Call, attempt: t.Callable[[], httpx.Response]) -> httpx.Response:
        retries = self.retries if call.retries is None else call.retries
        tried = 0
        while True:
            try:
                try:
                    return attempt()
                except httpx.TransportError as error:
                    raise failure_of(error) from error
            except FootnoteError as error:
                may = call.may_repeat() and tried < retries and is_passing(error)
                delay = retry_delay(error, tried) if may else None
                if delay is None:
                    raise
            tried += 1
            self.sleep(delay)

    def json(self, model: t.Type[M], call: Call) -> M:
        return model.model_validate_json(self.send(call).content)

    def value(self, call: Call) -> t.Any:
        return self.send(call).json()

    def text(self, call: Call) -> str:
        return self.send(call).text

    def bytes(self, call: Call) -> bytes:
        return self.send(call).content

    def none(self, call: Call) -> None:
        self.send(call)

    def page(self, model: t.Type[M], call: Call) -> Pages[M]:
        def read(cursor: t.Optional[str]) -> Page[M]:
            query = call.query if cursor is None else {**call.query, "cursor": cursor}
            answer = self.value(Call(**{**vars(call), "query": query}))
            return Page([model.model_validate(item) for item in answer["data"]], answer["next_cursor"])

        return Pages(read)

    def lines(self, call: Call) -> t.Iterator[t.Any]:
        """JSON line by line, each as soon as it has come."""
        rest = ""
        with self.open(call) as pieces:
            for piece in pieces:
                *lines, rest = (rest + piece).split("\n")
                yield from (json.loads(line) for line in lines if line)
        if rest:
            yield json.loads(rest)
