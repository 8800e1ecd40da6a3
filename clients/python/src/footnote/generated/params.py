# Generated from docs/openapi.json by tools/write-clients.ts; never edited.
from __future__ import annotations

import typing as t
from datetime import datetime

from typing_extensions import Required, TypedDict

__all__ = ["BackfillDestination", "BatchItem", "CreateApiKey", "CreateDelivery", "CreateDestination", "CreateExport", "CreateExtraction", "CreateJob", "CreateJobsBody", "CreateSchema", "CreateSchemaVersion", "DestinationType", "EndedStatus", "EstimateRequest", "EventKind", "Expansion", "GivenSegment", "InferSchema", "JobHints", "NotionConfig", "RecoverDeliveries", "RotateSigningSecret", "SheetsConfig", "SheetsConfigColumnsItem", "SlackBotConfig", "SlackIncomingConfig", "SnowflakeConfig", "SnowflakeConfigColumnsItem", "TestSchema", "UpdateDestination", "WebhookConfig"]


class JobHints(TypedDict, total=False):
    num_speakers: int
    min_speakers: int
    max_speakers: int
    participants: t.Sequence[str]
    vocabulary: t.Sequence[str]
    language: str
    recorded_at: str
    captions: t.Literal["prefer", "ignore"]


class BatchItem(TypedDict, total=False):
    source_uri: Required[str]
    """An http(s) URL, or an `upload://` or `s3://` reference; or `sample://lecture` and `sample://product-demo`, two clips of about a minute and a half that come with the service, for a first call."""
    title: str
    """What the footage is called; by default the upload's file name or the last part of the address."""
    schema_id: str
    schema_version: int
    """A version of the schema that `schema_id` names; its newest where none is given."""
    schema_inline: t.Mapping[str, t.Any]
    """A JSON Schema; excludes `schema_id`."""
    destination_ids: t.Sequence[str]
    webhook_url: str
    """An http(s) URL that is told when the job has ended."""
    model_stack: str
    """`builtin`, `standard`, `accurate`, or `auto` for the best whose files are on this deployment; the job tells which."""
    hints: JobHints
    on_missing: t.Literal["fill", "fail"]
    metadata: t.Mapping[str, str]
    """Up to 20 pairs of the caller's own."""
    idempotency_key: str
    """As the header `Idempotency-Key`, for this item alone; shares its keys with `POST /v1/jobs`."""


class WebhookConfig(TypedDict, total=False):
    url: Required[str]
    headers: t.Mapping[str, str]
    """Up to 10 headers that go with every delivery, such as `Authorization`."""


class SlackIncomingConfig(TypedDict, total=False):
    webhook_url: Required[str]


class SlackBotConfig(TypedDict, total=False):
    bot_token: Required[str]
    channel: Required[str]


class NotionConfig(TypedDict, total=False):
    token: Required[str]
    data_source_id: str
    database_id: t.Any
    property_map: t.Mapping[str, str]
    """From a property's name to where its value is."""


class SheetsConfigColumnsItem(TypedDict, total=False):
    column: Required[str]
    path: Required[str]
    """A JSON pointer (RFC 6901) into the result, or one of $delivery.id, $event.type, $job.id, $job.status, $job.source_uri, $job.schema_id, $job.model_stack, $job.created_at, $job.finished_at, $job.duration_seconds, $job.result_confidence, $page.url, $job.url, $evidence.url, $evidence, $result."""


class SheetsConfig(TypedDict, total=False):
    client_email: Required[str]
    private_key: Required[str]
    """RSA of 2,048 to 4,096 bits with public exponent 65537, PEM without a passphrase."""
    spreadsheet_id: Required[str]
    sheet: Required[str]
    """The sheet's title."""
    columns: t.Sequence[SheetsConfigColumnsItem]
    """What a row holds, from left to right."""


class SnowflakeConfigColumnsItem(TypedDict, total=False):
    column: Required[str]
    """As in SQL: `analytics` is ANALYTICS, and `"analytics"` in double quotes is what it is."""
    path: Required[str]
    """A JSON pointer (RFC 6901) into the result, or one of $delivery.id, $event.type, $job.id, $job.status, $job.source_uri, $job.schema_id, $job.model_stack, $job.created_at, $job.finished_at, $job.duration_seconds, $job.result_confidence, $page.url, $job.url, $evidence.url, $evidence, $result."""


class SnowflakeConfig(TypedDict, total=False):
    account: Required[str]
    user: Required[str]
    private_key: Required[str]
    """RSA of 2,048 to 4,096 bits with public exponent 65537, PEM without a passphrase."""
    role: str
    """As in SQL: `analytics` is ANALYTICS, and `"analytics"` in double quotes is what it is."""
    warehouse: Required[str]
    """As in SQL: `analytics` is ANALYTICS, and `"analytics"` in double quotes is what it is."""
    database: Required[str]
    """As in SQL: `analytics` is ANALYTICS, and `"analytics"` in double quotes is what it is."""
    schema: Required[str]
    """As in SQL: `analytics` is ANALYTICS, and `"analytics"` in double quotes is what it is."""
    table: Required[str]
    """As in SQL: `analytics` is ANALYTICS, and `"analytics"` in double quotes is what it is."""
    columns: t.Sequence[SnowflakeConfigColumnsItem]
    """What a row holds beside the columns that are always there."""


class EstimateRequest(TypedDict, total=False):
    source_uri: str
    """An http(s) URL, or an `upload://` or `s3://` reference; or `sample://lecture` and `sample://product-demo`, two clips of about a minute and a half that come with the service, for a first call."""
    duration_seconds: float
    """How long the source is, where the caller knows."""
    model_stack: str
    """`builtin`, `standard`, `accurate`, or `auto` for the best whose files are on this deployment; the job tells which."""


EndedStatus = t.Literal["succeeded", "failed", "cancelled"]


Expansion = t.Literal["result", "evidence", "transcript", "frames", "vision", "graph"]


class CreateExport(TypedDict, total=False):
    status: t.Sequence[EndedStatus]
    """How the jobs ended; only `succeeded` where nothing is said. A job that is at work is in no export."""
    finished_after: t.Union[datetime, str]
    """RFC 3339, such as `2026-11-20T09:30:00Z`."""
    finished_before: t.Union[datetime, str]
    """RFC 3339, such as `2026-11-20T09:30:00Z`."""
    created_after: t.Union[datetime, str]
    """RFC 3339, such as `2026-11-20T09:30:00Z`."""
    created_before: t.Union[datetime, str]
    """RFC 3339, such as `2026-11-20T09:30:00Z`."""
    schema_id: str
    """Jobs of this schema, the tenant's own or a template."""
    metadata: t.Mapping[str, str]
    """Jobs that carry every one of these pairs."""
    include: t.Sequence[Expansion]
    """What stands beside each job; `result` and `evidence` where nothing is said."""


class RecoverDeliveries(TypedDict, total=False):
    since: Required[t.Union[datetime, str]]
    """RFC 3339. Deliveries that have failed at this moment or later are sent again."""


class BackfillDestination(TypedDict, total=False):
    finished_after: t.Union[datetime, str]
    """RFC 3339, such as `2026-11-20T09:30:00Z`."""
    finished_before: t.Union[datetime, str]
    """RFC 3339, such as `2026-11-20T09:30:00Z`."""


class CreateDelivery(TypedDict, total=False):
    destination_id: Required[str]
    """A destination of any type."""


class RotateSigningSecret(TypedDict, total=False):
    keep_old_for_seconds: int
    """How long deliveries are signed with the old secret as well; 0 ends it at once."""


EventKind = t.Literal["job.succeeded", "job.failed", "job.cancelled"]


class UpdateDestination(TypedDict, total=False):
    name: str
    """1 to 80 characters."""
    config: t.Union[WebhookConfig, SlackIncomingConfig, SlackBotConfig, NotionConfig, SheetsConfig, SnowflakeConfig]
    """By type: `WebhookConfig`, `SlackBotConfig` or `SlackIncomingConfig`, `NotionConfig`, `SheetsConfig`, `SnowflakeConfig`. Sealed at rest and never shown again."""
    events: t.Sequence[EventKind]
    """What it is told of, of the jobs that name it."""
    status: t.Literal["active", "paused"]


DestinationType = t.Literal["snowflake", "notion", "sheets", "slack", "webhook"]


class CreateDestination(TypedDict, total=False):
    name: Required[str]
    """1 to 80 characters."""
    type: Required[DestinationType]
    config: Required[t.Union[WebhookConfig, SlackIncomingConfig, SlackBotConfig, NotionConfig, SheetsConfig, SnowflakeConfig]]
    """By type: `WebhookConfig`, `SlackBotConfig` or `SlackIncomingConfig`, `NotionConfig`, `SheetsConfig`, `SnowflakeConfig`. Sealed at rest and never shown again."""
    events: t.Sequence[EventKind]
    """What it is told of, of the jobs that name it."""


class CreateApiKey(TypedDict, total=False):
    name: Required[str]
    """1 to 100 characters."""
    scopes: t.Sequence[str]
    """Up to 20; stored as they are, not enforced yet."""


class GivenSegment(TypedDict, total=False):
    text: Required[str]
    speaker: str
    """Who says it, by any name."""
    t_start: float
    """Seconds from the beginning."""
    t_end: float
    """Seconds from the beginning."""


class TestSchema(TypedDict, total=False):
    job_id: str
    """A job that has succeeded: what it heard and saw."""
    segments: t.Sequence[GivenSegment]
    """In place of a job: what is said, in order. A segment without moments follows the one before, at 0.4 s a word."""
    language: str
    """Of `segments`, such as `en`."""
    schema_version: int
    """A version of the schema that `schema_id` names; its newest where none is given."""
    on_missing: t.Literal["fill", "fail"]
    wait_seconds: int
    """How long the answer is held for the result."""


class CreateSchemaVersion(TypedDict, total=False):
    json_schema: Required[t.Any]
    """A JSON Schema: 2020-12 where `$schema` names no other draft."""


class InferSchema(TypedDict, total=False):
    examples: Required[t.Sequence[t.Any]]
    """1 to 100 JSON documents, each as a result should look. Their order does not matter."""
    name: str
    """Becomes the schema's `title`; 1 to 100 characters."""
    description: str
    """Becomes the schema's `description`."""


class CreateSchema(TypedDict, total=False):
    name: Required[str]
    """1 to 100 characters."""
    json_schema: Required[t.Any]
    """A JSON Schema: 2020-12 where `$schema` names no other draft."""
    description: str
    """What it is for; up to 1,000 characters."""


class CreateExtraction(TypedDict, total=False):
    schema_id: str
    schema_version: int
    """A version of the schema that `schema_id` names; its newest where none is given."""
    schema_inline: t.Mapping[str, t.Any]
    """A JSON Schema; excludes `schema_id`."""
    destination_ids: t.Sequence[str]
    webhook_url: str
    """An http(s) URL that is told when the job has ended."""
    on_missing: t.Literal["fill", "fail"]
    title: str
    """What the footage is called; by default the upload's file name or the last part of the address."""
    metadata: t.Mapping[str, str]
    """Up to 20 pairs of the caller's own."""


class CreateJob(TypedDict, total=False):
    source_uri: Required[str]
    """An http(s) URL, or an `upload://` or `s3://` reference; or `sample://lecture` and `sample://product-demo`, two clips of about a minute and a half that come with the service, for a first call."""
    title: str
    """What the footage is called; by default the upload's file name or the last part of the address."""
    schema_id: str
    schema_version: int
    """A version of the schema that `schema_id` names; its newest where none is given."""
    schema_inline: t.Mapping[str, t.Any]
    """A JSON Schema; excludes `schema_id`."""
    destination_ids: t.Sequence[str]
    webhook_url: str
    """An http(s) URL that is told when the job has ended."""
    model_stack: str
    """`builtin`, `standard`, `accurate`, or `auto` for the best whose files are on this deployment; the job tells which."""
    hints: JobHints
    on_missing: t.Literal["fill", "fail"]
    metadata: t.Mapping[str, str]
    """Up to 20 pairs of the caller's own."""


class CreateJobsBody(TypedDict, total=False):
    jobs: Required[t.Sequence[BatchItem]]
