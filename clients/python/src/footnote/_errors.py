from __future__ import annotations

import typing as t
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

import httpx
from pydantic import ValidationError

from .generated.models import ErrorDetail, ErrorEnvelope


class FootnoteError(Exception):
    """Everything that this client raises by itself."""


class ApiError(FootnoteError):
    """The service refused: its status, its code and the id under which the operator finds the request."""

    def __init__(
        self,
        *,
        status: int,
        code: str,
        message: str,
        details: t.Sequence[ErrorDetail] = (),
        request_id: t.Optional[str] = None,
        retry_after: t.Optional[float] = None,
    ) -> None:
        told = "; ".join(f"{detail.path}: {detail.message}" for detail in details)
        asked = "" if request_id is None else f" [request {request_id}]"
        super().__init__(f"{status} {code}: {message}{f' ({told})' if told else ''}{asked}")
        self.status = status
        self.code = code
        """One of the service's codes; `UNKNOWN` where something between answered in its place."""
        self.details = details
        self.request_id = request_id
        self.retry_after = retry_after
        """Seconds that the service asked to wait, where it did."""


class ConnectionError(FootnoteError):
    """No whole answer came: the service could not be reached, or the connection broke off. `__cause__` says why."""


class TimeoutError(FootnoteError):
    """Nothing came, or the job did not end, within the time that was given. What was begun at the service goes on."""


class WebhookVerificationError(FootnoteError):
    """A webhook that is not proven to be the service's, or not fresh: do not act on it, answer 400."""


def seconds_of(header: t.Optional[str], now: datetime) -> t.Optional[float]:
    """Seconds of a `Retry-After`, which is a number or a date."""
    if header is None:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(header) - now).total_seconds())
    except (TypeError, ValueError):
        return None


def error_of(response: httpx.Response) -> ApiError:
    """The error that an answer means; of one that is no envelope, as a proxy sends it, the beginning is the message."""
    retry_after = seconds_of(response.headers.get("retry-after"), datetime.now(timezone.utc))
    try:
        error = ErrorEnvelope.model_validate_json(response.content).error
    except ValidationError:
        return ApiError(
            status=response.status_code,
            code="UNKNOWN",
            message=response.text.strip()[:200] or response.reason_phrase or "No text",
            request_id=response.headers.get("x-request-id"),
            retry_after=retry_after,
        )
    return ApiError(
        status=response.status_code,
        code=error.code,
        message=error.message,
        details=error.details or (),
        request_id=error.request_id,
        retry_after=retry_after,
    )


def failure_of(error: httpx.TransportError) -> FootnoteError:
    if isinstance(error, httpx.TimeoutException):
        return TimeoutError(f"Nothing came in time: {error}")
    return ConnectionError(f"No whole answer came: {error or type(error).__name__}")
