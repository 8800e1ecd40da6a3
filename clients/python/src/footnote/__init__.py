"""The client of Footnote: footage in, facts out, each with a footnote to its moment."""

from ._client import AsyncFootnote, Footnote
from ._errors import ApiError, ConnectionError, FootnoteError, TimeoutError, WebhookVerificationError
from ._pages import AsyncPages, Page, Pages
from ._sources import Uploadable
from ._uploads import UploadProgress
from ._webhooks import UnknownEvent, verify_webhook
from .generated import models, params

__all__ = [
    "ApiError",
    "AsyncFootnote",
    "AsyncPages",
    "ConnectionError",
    "Footnote",
    "FootnoteError",
    "Page",
    "Pages",
    "TimeoutError",
    "UnknownEvent",
    "UploadProgress",
    "Uploadable",
    "WebhookVerificationError",
    "models",
    "params",
    "verify_webhook",
]
