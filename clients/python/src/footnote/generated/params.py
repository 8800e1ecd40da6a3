# Generated from docs/openapi.json by tools/write-clients.ts; never edited.
from __future__ import annotations

import typing as t
from datetime import datetime

from typing_extensions import Required, TypedDict

__all__ = ["BackfillDestination", "BatchItem", "CreateApiKey", "CreateDelivery", "CreateDestination", "CreateExport", "CreateExtraction", "CreateJob", "CreateJobsBody", "CreateMediaLink", "CreateNotionDestination", "CreateReview", "CreateSchema", "CreateSchemaVersion", "CreateSheetsDestination", "CreateSlackDestination", "CreateSnowflakeDestination", "CreateWebhookDestination", "EndedStatus", "EstimateRequest", "EventKind", "Expansion", "GivenCitation", "GivenDecision", "GivenSegment", "InferSchema", "JobHints", "LanguageModelInput", "NameSpeakers", "NamedSpeaker", "NotionConfig", "Precision", "RecoverDeliveries", "Rendition", "ReviewAction", "RotateSigningSecret", "SheetsConfig", "SheetsConfigColumnsItem", "SignIn", "SlackBotConfig", "SlackIncomingConfig", "SnowflakeConfig", "SnowflakeConfigColumnsItem", "SnowflakeTokenConfig", "SnowflakeTokenConfigColumnsItem", "TestSchema", "UpdateDestination", "UpdateSettings", "WebhookConfig"]


class JobHints(TypedDict, total=False):
    """What the caller knows beforehand. A hint may sharpen a result, it never adds a fact."""
    num_speakers: int
    """Exactly so many voices."""
    min_speakers: int
    """At least so many voices."""
    max_speakers: int
    """At most so many voices."""
    participants: t.Sequence[str]
    """Names of who may be heard, as they are to be spelt."""
    vocabulary: t.Sequence[str]
    """Words that are likely to come up, as they are to be spelt."""
    language: str
    """The language that is spoken, as a tag such as `en`."""
    recorded_at: str
    """The day it was recorded, `YYYY-MM-DD`: what is said as `next Friday` is counted from it."""
    captions: t.Literal["prefer", "ignore"]
    """`prefer`: captions in the file take the place of recognised speech. `ignore`: they are not read."""
    corrections: t.Literal["use", "ignore"]
    """`use`: words that the tenant's people corrected in earlier results, and names that they gave to speakers, are added to vocabulary and participants. Default: `ignore`."""


class BatchItem(TypedDict, total=False):
    """One submission of a batch: the body of a creation, with the key that would stand in its header."""
    source_uri: Required[str]
    """An http(s) URL, or an `upload://` or `s3://` reference; or `sample://lecture` and `sample://product-demo`, two clips of about a minute and a half that come with the service, for a first call."""
    title: str
    """What the footage is called; by default the upload's file name or the last part of the address. Control characters and those that change the direction of text are left out."""
    schema_id: str
    """A saved schema or a template, `sch_…`; null where the job has none."""
    schema_version: int
    """A version of the schema that `schema_id` names; its newest where none is given."""
    schema_inline: t.Mapping[str, t.Any]
    """A JSON Schema; excludes `schema_id`."""
    destination_ids: t.Sequence[str]
    """Destinations, `dst_…`, that get the result once the job has succeeded."""
    webhook_url: str
    """An http(s) URL that is told when the job has ended."""
    model_stack: str
    """`builtin`, `standard`, `accurate`, or `auto` for the best whose files are on this deployment; the job tells which."""
    hints: JobHints
    on_missing: t.Literal["fill", "fail"]
    """What to do where a required value was not found: `fill` puts the smallest placeholder that the schema allows and warns with `PLACEHOLDERS`; `fail` ends the job with `EXTRACTION_FAILED`. Default: `fill`."""
    precision: Precision
    instructions: str
    """How to read this footage, in your words, such as `prices are in euros; the auctioneer's hammer decides`. Told to a language model where the job has one; nothing in it is a fact."""
    metadata: t.Mapping[str, str]
    """Up to 20 pairs of the caller's own."""
    idempotency_key: str
    """As the header `Idempotency-Key`, for this item alone; shares its keys with `POST /v1/jobs`."""


class WebhookConfig(TypedDict, total=False):
    """An address of the tenant's own that is told by Standard Webhooks, signed with the destination's secret."""
    url: Required[str]
    """An absolute http or https URL."""
    headers: t.Mapping[str, str]
    """Up to 10 headers that go with every delivery, such as `Authorization`."""


class SlackIncomingConfig(TypedDict, total=False):
    """An incoming webhook of Slack, which is told at least once instead of exactly once."""
    webhook_url: Required[str]
    """The address that Slack gave for the channel."""


class SlackBotConfig(TypedDict, total=False):
    """A channel of Slack, written to by an app's bot."""
    bot_token: Required[str]
    """The bot's token, `xoxb-…`."""
    channel: Required[str]
    """The channel's id, such as `C0123456789`."""


class NotionConfig(TypedDict, total=False):
    """A data source of Notion, written to by an integration."""
    token: Required[str]
    """The integration's token."""
    data_source_id: str
    """The id of the data source that pages are made in, a UUID."""
    database_id: t.Any
    """The id of a database with one data source, in place of `data_source_id`."""
    property_map: t.Mapping[str, str]
    """From a property's name to where its value is."""


class SheetsConfigColumnsItem(TypedDict, total=False):
    column: Required[str]
    """The column's title."""
    path: Required[str]
    """A JSON pointer (RFC 6901) into the result, or one of $delivery.id, $event.type, $job.id, $job.status, $job.source_uri, $job.schema_id, $job.model_stack, $job.created_at, $job.finished_at, $job.duration_seconds, $job.result_confidence, $page.url, $job.url, $evidence.url, $evidence, $result."""


class SheetsConfig(TypedDict, total=False):
    """A sheet of Google Sheets, written to by a service account."""
    client_email: Required[str]
    """The service account's address; share the spreadsheet with it."""
    private_key: Required[str]
    """RSA of 2,048 to 4,096 bits with public exponent 65537, PEM without a passphrase."""
    spreadsheet_id: Required[str]
    """The id in the spreadsheet's URL."""
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
    """A table of Snowflake, written to by a user's key pair."""
    user: Required[str]
    """The user's login name."""
    private_key: Required[str]
    """RSA of 2,048 to 4,096 bits with public exponent 65537, PEM without a passphrase."""
    account: Required[str]
    """The account's identifier, such as `myorg-account`."""
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


class SnowflakeTokenConfigColumnsItem(TypedDict, total=False):
    column: Required[str]
    """As in SQL: `analytics` is ANALYTICS, and `"analytics"` in double quotes is what it is."""
    path: Required[str]
    """A JSON pointer (RFC 6901) into the result, or one of $delivery.id, $event.type, $job.id, $job.status, $job.source_uri, $job.schema_id, $job.model_stack, $job.created_at, $job.finished_at, $job.duration_seconds, $job.result_confidence, $page.url, $job.url, $evidence.url, $evidence, $result."""


class SnowflakeTokenConfig(TypedDict, total=False):
    """A table of Snowflake, written to by a programmatic access token."""
    token: Required[str]
    """The token, for whose user Snowflake wants a network policy."""
    account: Required[str]
    """The account's identifier, such as `myorg-account`."""
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
    columns: t.Sequence[SnowflakeTokenConfigColumnsItem]
    """What a row holds beside the columns that are always there."""


class SignIn(TypedDict, total=False):
    """The key to sign a browser in with."""
    api_key: Required[str]
    """A key of the tenant."""


class EstimateRequest(TypedDict, total=False):
    """The job to estimate."""
    source_uri: str
    """An http(s) URL, or an `upload://` or `s3://` reference; or `sample://lecture` and `sample://product-demo`, two clips of about a minute and a half that come with the service, for a first call."""
    title: str
    """What the footage is called; by default the upload's file name or the last part of the address. Control characters and those that change the direction of text are left out."""
    schema_id: str
    """A saved schema or a template, `sch_…`; null where the job has none."""
    schema_version: int
    """A version of the schema that `schema_id` names; its newest where none is given."""
    schema_inline: t.Mapping[str, t.Any]
    """A JSON Schema; excludes `schema_id`."""
    destination_ids: t.Sequence[str]
    """Destinations, `dst_…`, that get the result once the job has succeeded."""
    webhook_url: str
    """An http(s) URL that is told when the job has ended."""
    model_stack: str
    """`builtin`, `standard`, `accurate`, or `auto` for the best whose files are on this deployment; the job tells which."""
    hints: JobHints
    on_missing: t.Literal["fill", "fail"]
    """What to do where a required value was not found: `fill` puts the smallest placeholder that the schema allows and warns with `PLACEHOLDERS`; `fail` ends the job with `EXTRACTION_FAILED`. Default: `fill`."""
    precision: Precision
    instructions: str
    """How to read this footage, in your words, such as `prices are in euros; the auctioneer's hammer decides`. Told to a language model where the job has one; nothing in it is a fact."""
    metadata: t.Mapping[str, str]
    """Up to 20 pairs of the caller's own."""
    duration_seconds: float
    """How long the source is, where the caller knows."""


class RotateSigningSecret(TypedDict, total=False):
    """How long the old secret goes on to sign."""
    keep_old_for_seconds: int
    """How long deliveries are signed with the old secret as well; 0 ends it at once. Default: `0`."""


class LanguageModelInput(TypedDict, total=False):
    """A language model that reads this tenant's footage instead of the deployment's."""
    url: Required[str]
    """An OpenAI-compatible API (`https://…/v1`), a deployment of Azure OpenAI with its `api-version`, or Anthropic's Messages API (`https://…/v1/messages`). Public addresses only, unless the deployment allows others."""
    model: Required[str]
    """The model's name there."""
    api_key: str
    """Sent to that address alone; stored sealed and never shown."""


class UpdateSettings(TypedDict, total=False):
    """What is to be changed of the settings."""
    default_destination_ids: t.Sequence[str]
    """Where results of jobs go that name no `destination_ids`; a job that names none of them gives `[]`."""
    language_model: t.Union[LanguageModelInput, None]
    """The language model that reads this tenant's footage from now on; null is the deployment's."""


class CreateExport(TypedDict, total=False):
    """Which finished jobs to export, and what is to stand beside each."""
    status: t.Sequence[EndedStatus]
    """How the jobs ended; only `succeeded` where nothing is said. A job that is at work is in no export."""
    finished_after: t.Union[datetime, str]
    """Jobs that ended at this moment or later, such as `created_at` of the export before. RFC 3339, such as `2026-11-20T09:30:00Z`."""
    finished_before: t.Union[datetime, str]
    """Jobs that ended before this moment, not at it; never later than the export's `created_at`. RFC 3339, such as `2026-11-20T09:30:00Z`."""
    created_after: t.Union[datetime, str]
    """Jobs that were created at this moment or later. RFC 3339, such as `2026-11-20T09:30:00Z`."""
    created_before: t.Union[datetime, str]
    """Jobs that were created before this moment, not at it. RFC 3339, such as `2026-11-20T09:30:00Z`."""
    schema_id: str
    """Jobs of this schema, the tenant's own or a template."""
    metadata: t.Mapping[str, str]
    """Jobs that carry every one of these pairs."""
    include: t.Sequence[Expansion]
    """What stands beside each job; `result` and `evidence` where nothing is said."""


class RecoverDeliveries(TypedDict, total=False):
    """Which failed deliveries to send again."""
    since: Required[t.Union[datetime, str]]
    """RFC 3339. Deliveries that have failed at this moment or later are sent again."""


class BackfillDestination(TypedDict, total=False):
    """Which finished jobs to deliver to the destination."""
    finished_after: t.Union[datetime, str]
    """Jobs that ended at this moment or later. RFC 3339, such as `2026-11-20T09:30:00Z`."""
    finished_before: t.Union[datetime, str]
    """Jobs that ended before this moment, not at it. RFC 3339, such as `2026-11-20T09:30:00Z`."""


class CreateDelivery(TypedDict, total=False):
    """Where to deliver a job's result."""
    destination_id: Required[str]
    """A destination of any type."""
    reviewed: bool
    """The result as its last review left it, by an event of its own (`job.reviewed`). Default: `false`."""


class UpdateDestination(TypedDict, total=False):
    """What to change; what is left out stays as it is."""
    name: str
    """1 to 80 characters."""
    config: t.Union[WebhookConfig, SlackIncomingConfig, SlackBotConfig, NotionConfig, SheetsConfig, SnowflakeConfig, SnowflakeTokenConfig]
    """By type: `WebhookConfig`, `SlackBotConfig` or `SlackIncomingConfig`, `NotionConfig`, `SheetsConfig`, `SnowflakeConfig` or `SnowflakeTokenConfig`. Sealed at rest and never shown again."""
    events: t.Sequence[EventKind]
    """What it is told of, of the jobs that name it."""
    status: t.Literal["active", "paused"]
    """`paused` holds deliveries back, `active` lets them go."""


class CreateApiKey(TypedDict, total=False):
    """A key to make."""
    name: Required[str]
    """1 to 100 characters."""
    scopes: t.Sequence[str]
    """Up to 20; stored as they are, not enforced yet. Default: `[*]`."""


class GivenSegment(TypedDict, total=False):
    """One stretch of speech to try a schema on."""
    text: Required[str]
    """What is said in it."""
    speaker: str
    """Who says it, by any name."""
    t_start: float
    """Seconds from the beginning."""
    t_end: float
    """Seconds from the beginning."""


class TestSchema(TypedDict, total=False):
    """What to try a schema on."""
    job_id: str
    """A job that has succeeded: what it heard and saw."""
    segments: t.Sequence[GivenSegment]
    """In place of a job: what is said, in order. A segment without moments follows the one before, at 0.4 s a word."""
    language: str
    """Of `segments`, such as `en`."""
    schema_version: int
    """A version of the schema that `schema_id` names; its newest where none is given."""
    on_missing: t.Literal["fill", "fail"]
    """What to do where a required value was not found: `fill` puts the smallest placeholder that the schema allows and warns with `PLACEHOLDERS`; `fail` ends the job with `EXTRACTION_FAILED`. Default: `fill`."""
    precision: Precision
    instructions: str
    """How to read this footage, in your words, such as `prices are in euros; the auctioneer's hammer decides`. Told to a language model where the job has one; nothing in it is a fact."""
    wait_seconds: int
    """How long the answer is held for the result. Default: `30`."""


class CreateSchemaVersion(TypedDict, total=False):
    """What the next version of a schema is."""
    json_schema: Required[t.Any]
    """A JSON Schema: 2020-12 where `$schema` names no other draft."""


class InferSchema(TypedDict, total=False):
    """Examples of results to make a schema from."""
    examples: Required[t.Sequence[t.Any]]
    """1 to 100 JSON documents, each as a result should look. Their order does not matter."""
    name: str
    """Becomes the schema's `title`; 1 to 100 characters."""
    description: str
    """Becomes the schema's `description`."""


class CreateSchema(TypedDict, total=False):
    """A JSON Schema to keep for jobs."""
    name: Required[str]
    """1 to 100 characters."""
    json_schema: Required[t.Any]
    """A JSON Schema: 2020-12 where `$schema` names no other draft."""
    description: str
    """What it is for; up to 1,000 characters."""


class NamedSpeaker(TypedDict, total=False):
    """What a person says of one voice: how it is called, or which other voice it is."""
    id: Required[str]
    """The voice, as the transcript's `speakers` have it."""
    label: str
    """How it is called, on one line."""
    same_as: str
    """The voice that this one is too: what it says is then told as that one's."""


class NameSpeakers(TypedDict, total=False):
    """How the speakers of a job are to be named and merged."""
    speakers: Required[t.Sequence[NamedSpeaker]]
    """Everyone who is not to be told as the job heard them; an empty list takes all names back."""


class GivenCitation(TypedDict, total=False):
    """A place of the source that a person points at."""
    source_ref: Required[str]
    """A segment of the transcript, or a kept frame."""
    t_start: Required[float]
    """When it begins, in seconds."""
    t_end: Required[float]
    """When it ends, in seconds."""
    quote: str
    """Its words, as they stand there; left out, the words of the segment at that time or of the frame in the box."""
    box: t.Sequence[float]
    """`[x, y, width, height]` in fractions of the frame."""


class GivenDecision(TypedDict, total=False):
    """What a person decides on one place of the result."""
    pointer: Required[str]
    """JSON pointer (RFC 6901) into the result as `base_revision` left it."""
    action: Required[ReviewAction]
    value: t.Any
    """Of `correct`: what stands there rightly."""
    candidate: int
    """Of `choose`: which one, from 0."""
    citations: t.Sequence[GivenCitation]
    """Of `correct`: where the source says so; none where the value is the person's own."""


class CreateReview(TypedDict, total=False):
    """What a person decides on the result of a job."""
    base_revision: Required[int]
    """The revision that the decisions are made on: 0 for the job's own result, else the last one."""
    note: t.Union[str, None]
    """In the reviewer's words, up to 4,000 characters; null where nothing is said."""
    decisions: Required[t.Sequence[GivenDecision]]
    """None may lie within another's place, but for `accept` of what is around them."""


class CreateMediaLink(TypedDict, total=False):
    """What a link is to open, and for how long."""
    rendition: Rendition
    expires_in_seconds: int
    """From now on; an hour at most. Default: `3600`."""


class CreateExtraction(TypedDict, total=False):
    """By which schema to read a finished job's artifacts again."""
    schema_id: str
    """A saved schema or a template, `sch_…`; null where the job has none."""
    schema_version: int
    """A version of the schema that `schema_id` names; its newest where none is given."""
    schema_inline: t.Mapping[str, t.Any]
    """A JSON Schema; excludes `schema_id`."""
    destination_ids: t.Sequence[str]
    """Destinations, `dst_…`, that get the result once the job has succeeded."""
    webhook_url: str
    """An http(s) URL that is told when the job has ended."""
    on_missing: t.Literal["fill", "fail"]
    """What to do where a required value was not found: `fill` puts the smallest placeholder that the schema allows and warns with `PLACEHOLDERS`; `fail` ends the job with `EXTRACTION_FAILED`. Default: `fill`."""
    precision: Precision
    instructions: str
    """How to read this footage, in your words, such as `prices are in euros; the auctioneer's hammer decides`. Told to a language model where the job has one; nothing in it is a fact."""
    title: str
    """What the footage is called; by default the upload's file name or the last part of the address. Control characters and those that change the direction of text are left out."""
    metadata: t.Mapping[str, str]
    """Up to 20 pairs of the caller's own."""


class CreateJob(TypedDict, total=False):
    """What to extract from which source."""
    source_uri: Required[str]
    """An http(s) URL, or an `upload://` or `s3://` reference; or `sample://lecture` and `sample://product-demo`, two clips of about a minute and a half that come with the service, for a first call."""
    title: str
    """What the footage is called; by default the upload's file name or the last part of the address. Control characters and those that change the direction of text are left out."""
    schema_id: str
    """A saved schema or a template, `sch_…`; null where the job has none."""
    schema_version: int
    """A version of the schema that `schema_id` names; its newest where none is given."""
    schema_inline: t.Mapping[str, t.Any]
    """A JSON Schema; excludes `schema_id`."""
    destination_ids: t.Sequence[str]
    """Destinations, `dst_…`, that get the result once the job has succeeded."""
    webhook_url: str
    """An http(s) URL that is told when the job has ended."""
    model_stack: str
    """`builtin`, `standard`, `accurate`, or `auto` for the best whose files are on this deployment; the job tells which."""
    hints: JobHints
    on_missing: t.Literal["fill", "fail"]
    """What to do where a required value was not found: `fill` puts the smallest placeholder that the schema allows and warns with `PLACEHOLDERS`; `fail` ends the job with `EXTRACTION_FAILED`. Default: `fill`."""
    precision: Precision
    instructions: str
    """How to read this footage, in your words, such as `prices are in euros; the auctioneer's hammer decides`. Told to a language model where the job has one; nothing in it is a fact."""
    metadata: t.Mapping[str, str]
    """Up to 20 pairs of the caller's own."""


class CreateSnowflakeDestination(TypedDict, total=False):
    """`CreateDestination` of type `snowflake`."""
    name: Required[str]
    """1 to 80 characters."""
    type: Required[t.Literal["snowflake"]]
    """Which kind this is."""
    config: Required[t.Union[SnowflakeConfig, SnowflakeTokenConfig]]
    """By type: `WebhookConfig`, `SlackBotConfig` or `SlackIncomingConfig`, `NotionConfig`, `SheetsConfig`, `SnowflakeConfig` or `SnowflakeTokenConfig`. Sealed at rest and never shown again."""
    events: t.Sequence[EventKind]
    """What it is told of, of the jobs that name it. Default: `[job.succeeded]`."""


class CreateNotionDestination(TypedDict, total=False):
    """`CreateDestination` of type `notion`."""
    name: Required[str]
    """1 to 80 characters."""
    type: Required[t.Literal["notion"]]
    """Which kind this is."""
    config: Required[NotionConfig]
    """By type: `WebhookConfig`, `SlackBotConfig` or `SlackIncomingConfig`, `NotionConfig`, `SheetsConfig`, `SnowflakeConfig` or `SnowflakeTokenConfig`. Sealed at rest and never shown again."""
    events: t.Sequence[EventKind]
    """What it is told of, of the jobs that name it. Default: `[job.succeeded]`."""


class CreateSheetsDestination(TypedDict, total=False):
    """`CreateDestination` of type `sheets`."""
    name: Required[str]
    """1 to 80 characters."""
    type: Required[t.Literal["sheets"]]
    """Which kind this is."""
    config: Required[SheetsConfig]
    """By type: `WebhookConfig`, `SlackBotConfig` or `SlackIncomingConfig`, `NotionConfig`, `SheetsConfig`, `SnowflakeConfig` or `SnowflakeTokenConfig`. Sealed at rest and never shown again."""
    events: t.Sequence[EventKind]
    """What it is told of, of the jobs that name it. Default: `[job.succeeded]`."""


class CreateSlackDestination(TypedDict, total=False):
    """`CreateDestination` of type `slack`."""
    name: Required[str]
    """1 to 80 characters."""
    type: Required[t.Literal["slack"]]
    """Which kind this is."""
    config: Required[t.Union[SlackIncomingConfig, SlackBotConfig]]
    """By type: `WebhookConfig`, `SlackBotConfig` or `SlackIncomingConfig`, `NotionConfig`, `SheetsConfig`, `SnowflakeConfig` or `SnowflakeTokenConfig`. Sealed at rest and never shown again."""
    events: t.Sequence[EventKind]
    """What it is told of, of the jobs that name it. Default: `[job.succeeded]`."""


class CreateWebhookDestination(TypedDict, total=False):
    """`CreateDestination` of type `webhook`."""
    name: Required[str]
    """1 to 80 characters."""
    type: Required[t.Literal["webhook"]]
    """Which kind this is."""
    config: Required[WebhookConfig]
    """By type: `WebhookConfig`, `SlackBotConfig` or `SlackIncomingConfig`, `NotionConfig`, `SheetsConfig`, `SnowflakeConfig` or `SnowflakeTokenConfig`. Sealed at rest and never shown again."""
    events: t.Sequence[EventKind]
    """What it is told of, of the jobs that name it. Default: `[job.succeeded]`."""


class CreateJobsBody(TypedDict, total=False):
    jobs: Required[t.Sequence[BatchItem]]


Expansion = t.Literal["result", "evidence", "transcript", "frames", "vision", "graph", "gold"]


Precision = t.Literal["strict", "balanced"]


EndedStatus = t.Literal["succeeded", "failed", "cancelled"]


EventKind = t.Literal["job.succeeded", "job.failed", "job.cancelled", "batch.completed"]


CreateDestination = t.Union[CreateSnowflakeDestination, CreateNotionDestination, CreateSheetsDestination, CreateSlackDestination, CreateWebhookDestination]


ReviewAction = t.Literal["accept", "correct", "reject", "choose"]


Rendition = t.Literal["source", "preview"]
