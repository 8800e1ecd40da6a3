from __future__ import annotations

import random
import typing as t
import uuid
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import quote as percent_encoded

import httpx

from ._errors import ApiError, ConnectionError, TimeoutError

REPEATABLE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "PUT", "DELETE"})

LONGEST_WAIT = 60.0
"""Seconds. Longer than this nobody is kept waiting: the caller is told, with `retry_after`."""

DEFAULT_TIMEOUT = 60.0
DEFAULT_RETRIES = 3


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    query: t.Mapping[str, t.Any] = field(default_factory=dict)
    headers: t.Mapping[str, t.Optional[str]] = field(default_factory=dict)
    body: t.Any = None
    content: t.Optional[bytes] = None
    """Bytes in place of JSON."""
    idempotency_key: t.Optional[str] = None
    repeatable: t.Optional[bool] = None
    """Whether sending it twice does what sending it once does, where its method does not say so."""
    timeout: t.Optional[float] = None
    retries: t.Optional[int] = None

    def may_repeat(self) -> bool:
        if self.repeatable is not None:
            return self.repeatable
        return self.method in REPEATABLE_METHODS or self.idempotency_key is not None


def fresh_key() -> str:
    return str(uuid.uuid4())


def quote(id: str) -> str:
    return percent_encoded(id, safe="")


def written(value: t.Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, datetime) else str(value)


def joined(values: t.Any) -> t.Optional[str]:
    """Several values in one parameter, with commas."""
    if values is None:
        return None
    return ",".join(map(written, values)) if isinstance(values, (list, tuple)) else written(values)


def pairs(name: str, value: t.Any) -> t.Iterator[tuple[str, str]]:
    if value is None:
        return
    if isinstance(value, t.Mapping):
        for key, one in value.items():
            yield from pairs(f"{name}[{key}]", one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from pairs(name, one)
    else:
        yield name, written(value)


def plain(value: t.Any) -> t.Any:
    """A body as JSON has it."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, t.Mapping):
        return {key: plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, (list, tuple)) else value


def request_of(call: Call, client: t.Union[httpx.Client, httpx.AsyncClient], timeout: float) -> httpx.Request:
    headers = {name: value for name, value in call.headers.items() if value is not None}
    if call.idempotency_key is not None:
        headers["idempotency-key"] = call.idempotency_key
    query: list[tuple[str, t.Union[str, int, float, bool, None]]] = [
        pair for name, value in call.query.items() for pair in pairs(name, value)
    ]
    # What the service is asked to hold its answer for is no silence.
    within = timeout + (call.query.get("wait") or 0) if call.timeout is None else call.timeout
    if call.body is None:
        return client.build_request(
            call.method, call.path, params=query, headers=headers, content=call.content, timeout=within
        )
    return client.build_request(
        call.method, call.path, params=query, headers=headers, json=plain(call.body), timeout=within
    )


def is_passing(error: BaseException) -> bool:
    """Whether the same request may well be answered later: nothing came, or the service or a proxy is busy or away."""
    if isinstance(error, ApiError):
        return error.status in (429, 502, 503, 504)
    return isinstance(error, (ConnectionError, TimeoutError))


def retry_delay(error: BaseException, attempt: int, most: float = LONGEST_WAIT) -> t.Optional[float]:
    """Seconds until the next try: what the service asked for, else twice as long each time, from a half to eight.

    Spread by chance so that many clients do not come back at once. None where more than `most` is asked for.
    """
    asked = error.retry_after if isinstance(error, ApiError) else None
    if asked is None:
        # The fifth is eight already; of the 1025th a float would know no double.
        return float(min(8.0, 0.5 * 2 ** min(attempt, 5)) * random.uniform(0.5, 1.0))
    return None if asked > most else asked + random.uniform(0.0, 0.5)
