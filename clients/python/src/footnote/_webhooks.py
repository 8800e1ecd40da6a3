from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
import typing as t
from datetime import datetime

from ._errors import WebhookVerificationError
from ._model import Model
from .generated.models import EVENTS


class UnknownEvent(Model):
    """Of a kind that this client does not know: answer 200."""

    id: str
    type: str
    created_at: datetime
    data: t.Dict[str, t.Any]


def decoded(text: str) -> t.Optional[bytes]:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def verify_webhook(
    payload: t.Union[str, bytes],
    headers: t.Mapping[str, str],
    secret: t.Union[str, t.Sequence[str]],
    *,
    tolerance: float = 300,
    now: t.Optional[float] = None,
) -> Model:
    """The event of a webhook whose body and headers prove that the service sent it within `tolerance` seconds.

    It is of the class that `footnote.models` has for its `type`, such as `JobSucceededEvent`, else an `UnknownEvent`.

    By Standard Webhooks: any of several signatures by any of several secrets will do, as during a rotation. Raises
    `WebhookVerificationError` otherwise. Give the body as it came, byte for byte.
    """
    found = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not found.get(name):
            raise WebhookVerificationError(f"The header {name} is missing")
    timestamp = found["webhook-timestamp"]
    at = time.time() if now is None else now
    fresh = timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12
    if not fresh or abs(at - int(timestamp)) > tolerance:
        raise WebhookVerificationError(f"The timestamp {timestamp} is not within {tolerance:g} s of now")
    body = payload.encode() if isinstance(payload, str) else payload
    signed = f"{found['webhook-id']}.{timestamp}.".encode() + body
    signatures = [decoded(one[3:]) for one in found["webhook-signature"].split(" ") if one.startswith("v1,")]
    for one in [secret] if isinstance(secret, str) else secret:
        key = decoded(one.removeprefix("whsec_"))
        if not key:
            raise WebhookVerificationError("The secret is not of the form whsec_…")
        expected = hmac.new(key, signed, hashlib.sha256).digest()
        if any(signature is not None and hmac.compare_digest(signature, expected) for signature in signatures):
            event = json.loads(body)
            return EVENTS.get(event.get("type"), UnknownEvent).model_validate(event)
    raise WebhookVerificationError("No signature fits the body and the secret")
