from __future__ import annotations

import base64
import hashlib
import hmac
import json
import typing as t

import pytest
from answers import job

from footnote import UnknownEvent, WebhookVerificationError, models, verify_webhook

NOW = 1_790_000_000
SECRETS = [f"whsec_{base64.b64encode(bytes([one] * 32)).decode()}" for one in (1, 2, 3)]


def body_of(type: str, data: t.Any) -> str:
    return json.dumps({"id": "evt_1", "type": type, "created_at": "2026-11-20T09:31:12.880Z", "data": data})


ENDED = body_of("job.succeeded", {"job": {**job("succeeded"), "result": {"title": "Grüße"}}})


def signed(body: str, *secrets: str) -> t.Dict[str, str]:
    def signature(secret: str) -> str:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        return base64.b64encode(hmac.new(key, f"evt_1.{NOW}.{body}".encode(), hashlib.sha256).digest()).decode()

    marks = " ".join(f"v1,{signature(secret)}" for secret in secrets)
    return {"Webhook-Id": "evt_1", "Webhook-Timestamp": str(NOW), "Webhook-Signature": marks}


def test_what_the_service_signed_is_taken_and_typed() -> None:
    for payload in (ENDED, ENDED.encode()):
        event = verify_webhook(payload, signed(ENDED, SECRETS[0]), SECRETS[0], now=NOW)
        assert isinstance(event, models.JobSucceededEvent) and event.data.job.result == {"title": "Grüße"}
    for type, kind in [("destination.test", models.DestinationTestEvent), ("added.later", UnknownEvent)]:
        other = body_of(type, {"destination_id": "dst_1"})
        assert isinstance(verify_webhook(other, signed(other, SECRETS[0]), SECRETS[0], now=NOW), kind)


def test_over_a_mebibyte_the_job_comes_without_its_result() -> None:
    left_out = {name: value for name, value in job("succeeded").items() if name != "result"}
    body = body_of("job.succeeded", {"job": left_out, "result_url": "https://example.com/v1/jobs/job_1"})
    event = verify_webhook(body, signed(body, SECRETS[0]), SECRETS[0], now=NOW)
    assert isinstance(event, models.JobSucceededEvent) and event.data.result_url is not None


def test_either_secret_is_taken_during_a_rotation() -> None:
    headers = signed(ENDED, SECRETS[0], SECRETS[1])
    for secret in (SECRETS[0], SECRETS[1], [SECRETS[2], SECRETS[1]]):
        verify_webhook(ENDED, headers, secret, now=NOW)


def test_another_secret_changed_bytes_a_missing_header_and_old_ones_are_refused() -> None:
    headers = signed(ENDED, SECRETS[0])
    wrong: t.List[t.Tuple[str, t.Mapping[str, str], str, float]] = [
        (ENDED, headers, SECRETS[1], NOW),
        (ENDED, headers, "whsec_", NOW),
        (ENDED.replace("job_1", "job_2"), headers, SECRETS[0], NOW),
        (ENDED, {**headers, "Webhook-Id": "evt_2"}, SECRETS[0], NOW),
        (ENDED, {**headers, "Webhook-Timestamp": "soon"}, SECRETS[0], NOW),
        (ENDED, headers, SECRETS[0], NOW + 301),
        (ENDED, headers, SECRETS[0], NOW - 301),
        *((ENDED, {key: value for key, value in headers.items() if key != name}, SECRETS[0], NOW) for name in headers),
    ]
    for body, these, secret, now in wrong:
        with pytest.raises(WebhookVerificationError):
            verify_webhook(body, these, secret, now=now)
    verify_webhook(ENDED, headers, SECRETS[0], now=NOW + 301, tolerance=400)
