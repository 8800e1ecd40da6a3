# Generated from docs/openapi.json by tools/write-clients.ts; never edited.
from __future__ import annotations

import typing as t
from datetime import datetime

from pydantic import Field

from .._model import Model

__all__ = ["ApiKey", "ApiKeyPage", "BackfilledDestination", "Batch", "BatchOutcome", "BatchOutcomeError", "CreatedApiKey", "CreatedDestination", "CreatedJob", "DeletedDestination", "DeletedExport", "DeletedJob", "DeletedSchema", "DeletedUpload", "Delivery", "DeliveryAttempt", "DeliveryPage", "DeliveryStatus", "DeliveryWait", "Destination", "DestinationPage", "DestinationStatus", "DestinationTestEvent", "DestinationType", "EndedStatus", "ErrorCode", "ErrorDetail", "ErrorEnvelope", "ErrorEnvelopeError", "Estimate", "EstimateBasedOn", "EventJob", "EventKind", "Evidence", "EvidenceSpan", "EvidenceSpanAlternativesItem", "EvidenceSpanCorroboratedByItem", "ExpandedJob", "Expansion", "Export", "ExportFilter", "ExportLine", "ExportPage", "ExtractionSchema", "Frame", "FrameDescription", "GraphEdge", "GraphNode", "Health", "InferredSchema", "InferredSchemaWarningsItem", "Job", "JobCancelledEvent", "JobCancelledEventData", "JobError", "JobEvent", "JobEvidence", "JobFailedEvent", "JobFailedEventData", "JobFailureCode", "JobFrames", "JobFrames1", "JobGraph", "JobGraph1", "JobPage", "JobProgress", "JobSchema", "JobStatus", "JobSucceededEvent", "JobSucceededEventData", "JobTranscript", "JobUsage", "JobVision", "Label", "Limits", "LimitsIdempotency", "LimitsJobs", "LimitsLists", "LimitsRequests", "LimitsSchemas", "LimitsSources", "LimitsStorage", "LimitsUploads", "ListedJob", "Manifest", "ManifestSignaturesItem", "MediaFragment", "ModelRun", "Provenance", "Quota", "ReadExportAnswer", "Readiness", "ReadinessChecks", "RecoveredDeliveries", "RegisteredSchema", "RegisteredSchemaWarningsItem", "RevokedApiKey", "SchemaId", "SchemaPage", "SchemaSummary", "SchemaTest", "SchemaVersion", "SchemaVersions", "Segment", "SigningKeys", "SigningKeysKeysItem", "Source", "Speaker", "SpeakerTurn", "StageName", "StageProgress", "StageStatus", "TextLine", "Unfilled", "Upload", "UploadPage", "UsageReport", "UsageReportJobs", "Warning", "Word"]


ErrorCode = t.Union[t.Literal["INVALID_REQUEST", "UNAUTHENTICATED", "API_KEY_SELF_REVOKE", "API_KEY_NOT_FOUND", "DESTINATION_NOT_FOUND", "DESTINATION_TYPE_UNSUPPORTED", "DESTINATION_CONFIG_INVALID", "DELIVERY_NOT_FOUND", "UPLOAD_NOT_FOUND", "UPLOAD_OFFSET_CONFLICT", "UPLOAD_CHECKSUM_MISMATCH", "TUS_VERSION_UNSUPPORTED", "SCHEMA_NOT_FOUND", "JOB_NOT_FOUND", "EXPORT_NOT_FOUND", "FRAME_NOT_FOUND", "MANIFEST_NOT_FOUND", "SCHEMA_INVALID", "SCHEMA_IN_USE", "MODEL_STACK_UNKNOWN", "JOB_ALREADY_TERMINAL", "JOB_NOT_SUCCEEDED", "JOB_NOT_TERMINAL", "SOURCE_NOT_KEPT", "ARTIFACT_DAMAGED", "SOURCE_BLOCKED", "IDEMPOTENCY_KEY_CONFLICT", "IDEMPOTENCY_KEY_ORPHANED", "IDEMPOTENCY_KEY_INVALID", "CONCURRENT_JOBS_LIMIT", "COST_QUOTA_EXCEEDED", "STORAGE_QUOTA_EXCEEDED", "RATE_LIMITED", "PAYLOAD_TOO_LARGE", "REQUEST_TIMEOUT", "UNSUPPORTED_MEDIA_TYPE", "ROUTE_NOT_FOUND", "METHOD_NOT_ALLOWED", "SERVICE_UNAVAILABLE", "INTERNAL"], str]


class ErrorDetail(Model):
    path: str
    """Where it is. In a body: a JSON pointer (RFC 6901) such as `/source_uri`, `/metadata/a`, `/destination_ids/0`, and `""` for the whole of it. In a query, a path or the headers: the parameter's name, such as `limit`. With `SCHEMA_INVALID`: a JSON pointer into the schema. Where the state of a thing is in the way, the name of that field, such as `status`."""
    message: str
    """Why, in words for people."""


class ErrorEnvelopeError(Model):
    code: ErrorCode
    message: str
    details: t.Optional[t.List[ErrorDetail]] = None
    request_id: str


class ErrorEnvelope(Model):
    """The one form of every error."""
    error: ErrorEnvelopeError


JobStatus = t.Union[t.Literal["queued", "running", "succeeded", "failed", "cancelled"], str]


StageName = t.Union[t.Literal["fetch", "probe", "audio", "captions", "frames", "detect_speech", "transcribe", "diarize", "describe", "extract"], str]


StageStatus = t.Union[t.Literal["waiting", "running", "done", "skipped", "failed", "cancelled"], str]


class StageProgress(Model):
    name: StageName
    status: StageStatus
    fraction: float
    started_at: t.Union[datetime, None]
    finished_at: t.Union[datetime, None]


class JobProgress(Model):
    stage: t.Union[StageName, None]
    fraction: float
    stages: t.List[StageProgress]


class Source(Model):
    container: str
    duration_seconds: float
    width: t.Union[int, None]
    height: t.Union[int, None]
    frame_rate: t.Union[float, None]
    audio: t.Union[str, None]
    video: t.Union[str, None]
    size_bytes: int
    sha256: str


class Warning(Model):
    code: str
    message: str


JobFailureCode = t.Union[t.Literal["SOURCE_BLOCKED", "SOURCE_UNREACHABLE", "SOURCE_TOO_LARGE", "SOURCE_NOT_MEDIA", "SOURCE_CORRUPT", "SOURCE_TOO_LONG", "MEDIA_LIMIT_EXCEEDED", "STORAGE_QUOTA_EXCEEDED", "EXTRACTION_FAILED", "ARTIFACT_DAMAGED", "MODEL_UNAVAILABLE", "STAGE_TIMEOUT", "QUEUE_TIMEOUT", "TASK_LOST", "INTERNAL"], str]


class JobError(Model):
    code: JobFailureCode
    message: str
    stage: t.Union[StageName, None]


class JobUsage(Model):
    audio_seconds: float
    frames_sampled: int
    frames_kept: int
    model_seconds: float
    tokens: int
    cost: float


class ModelRun(Model):
    role: str
    """What the model was for, such as `asr` or `ocr`."""
    name: str
    execution_provider: t.Union[t.Literal["cpu", "cuda", "webgpu", "remote"], str]


class Provenance(Model):
    models: t.List[ModelRun]


MediaFragment = str


class EvidenceSpanCorroboratedByItem(Model):
    origin_channel: t.Union[t.Literal["asr", "captions", "ocr", "vision", "metadata"], str]
    source_ref: str
    t_start: float
    t_end: float
    quote: str
    media_fragment: MediaFragment


class EvidenceSpanAlternativesItem(Model):
    value: t.Any
    source_ref: str
    t_start: float
    t_end: float
    quote: str
    media_fragment: MediaFragment


class EvidenceSpan(Model):
    pointer: str
    value: t.Any
    origin: t.Union[t.Literal["extracted", "derived", "default"], str]
    origin_channel: t.Union[t.Literal["asr", "captions", "ocr", "vision", "metadata"], str]
    modality: t.Union[t.Literal["audio", "visual", "both"], str]
    t_start: float
    t_end: float
    source_ref: str
    quote: str
    media_fragment: MediaFragment
    node_id: t.Union[str, None]
    support: t.Union[t.Literal["verbatim", "normalised", "fuzzy", "inferred"], str]
    confidence: t.Union[float, None]
    verified: bool
    corroborated_by: t.List[EvidenceSpanCorroboratedByItem]
    alternatives: t.List[EvidenceSpanAlternativesItem]


class Unfilled(Model):
    pointer: str
    reason: str


class JobEvidence(Model):
    job_id: str
    """Form `job_<id>`."""
    spans: t.List[EvidenceSpan]
    unfilled: t.List[Unfilled]


class Speaker(Model):
    id: str
    label: str
    speaking_seconds: float


class Word(Model):
    t_start: float
    t_end: float
    text: str
    confidence: float


class Segment(Model):
    id: str
    origin: t.Union[t.Literal["asr", "captions"], str]
    t_start: float
    t_end: float
    speaker: t.Union[str, None]
    text: str
    confidence: float
    words: t.List[Word]


class SpeakerTurn(Model):
    speaker: str
    t_start: float
    t_end: float


class JobTranscript(Model):
    job_id: str
    """Form `job_<id>`."""
    language: t.Union[str, None]
    duration_seconds: float
    text: str
    speakers: t.List[Speaker]
    segments: t.List[Segment]
    turns: t.List[SpeakerTurn]
    audio_branch: t.Union[t.Literal["present", "absent"], str]
    model: t.Union[str, None]


class Frame(Model):
    id: str
    source_ref: str
    timestamp: float
    cluster: int
    phash: str
    kept: bool
    width: int
    height: int


class JobFrames1(Model):
    """The kept frames."""
    job_id: str
    """Form `job_<id>`."""
    visual_branch: t.Union[t.Literal["present", "absent"], str]
    sampled: int
    kept: int
    frames: t.List[Frame]


class TextLine(Model):
    text: str
    box: t.List[float]
    confidence: float


class Label(Model):
    name: str
    confidence: float


class FrameDescription(Model):
    frame_id: str
    source_ref: str
    timestamp: float
    description: str
    model_sentence: t.Optional[str] = None
    text: t.List[TextLine]
    labels: t.List[Label]


class JobVision(Model):
    job_id: str
    """Form `job_<id>`."""
    visual_branch: t.Union[t.Literal["present", "absent"], str]
    frames: t.List[FrameDescription]
    model: t.Union[str, None]


class GraphNode(Model):
    id: str
    kind: t.Union[t.Literal["entity", "claim", "speaker"], str]
    label: str
    type: t.Union[str, None]
    t_start: float
    t_end: float
    modality: t.Union[t.Literal["audio", "visual", "both"], str]
    source_refs: t.List[str]
    mentions: int


class GraphEdge(Model):
    id: str
    source: str
    target: str
    relation: str
    t_start: float
    t_end: float
    source_refs: t.List[str]


class JobGraph1(Model):
    """In its compact view."""
    job_id: str
    """Form `job_<id>`."""
    view: t.Union[t.Literal["compact", "canonical"], str]
    nodes: t.List[GraphNode]
    edges: t.List[GraphEdge]


Expansion = t.Union[t.Literal["result", "evidence", "transcript", "frames", "vision", "graph"], str]


class ExpandedJob(Model):
    id: str
    """Form `job_<id>`."""
    status: JobStatus
    title: t.Optional[str] = None
    """What the footage is called: by its caller, else by the upload's file name or the last part of the address."""
    source_uri: str
    schema_id: t.Union[str, None]
    schema_version: t.Optional[int] = None
    """The version of that schema which the job runs with; absent where no schema is named by its id."""
    model_stack: str
    """The model stack that the job runs on, also where `auto` chose it."""
    retry_of: t.Optional[str] = None
    """The job that this one runs again; absent where it runs none again."""
    extracted_from: t.Optional[str] = None
    """The job whose transcript, frames and descriptions this one's result is extracted from; absent where the job has read its source itself."""
    destination_ids: t.List[str]
    webhook_url: t.Union[str, None]
    metadata: t.Dict[str, str]
    """Up to 20 pairs of the caller's own."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    started_at: t.Union[datetime, None]
    finished_at: t.Union[datetime, None]
    progress: JobProgress
    source: t.Union[Source, None]
    result_confidence: t.Union[float, None]
    warnings: t.List[Warning]
    error: t.Union[JobError, None]
    usage: JobUsage
    provenance: t.Union[Provenance, None]
    """Which models made the result and on what they ran, once the job has ended."""
    result: t.Any = None
    """The typed result."""
    evidence: t.Optional[JobEvidence] = None
    transcript: t.Optional[JobTranscript] = None
    frames: t.Optional[JobFrames1] = None
    vision: t.Optional[JobVision] = None
    graph: t.Optional[JobGraph1] = None
    damaged: t.Optional[t.List[Expansion]] = None
    """What was asked for and is lost or not what was written: `ARTIFACT_DAMAGED` where it is read alone."""


class ExportLine(Model):
    cursor: str
    """Sent back as `cursor`, the content goes on after this line."""
    job: ExpandedJob


class EventJob(Model):
    """The job as `GET /v1/jobs/{id}` shows it, but for `webhook_url`, which is null, and for what grants access in `source_uri`."""
    id: str
    """Form `job_<id>`."""
    status: JobStatus
    title: t.Optional[str] = None
    """What the footage is called: by its caller, else by the upload's file name or the last part of the address."""
    source_uri: str
    schema_id: t.Union[str, None]
    schema_version: t.Optional[int] = None
    """The version of that schema which the job runs with; absent where no schema is named by its id."""
    model_stack: str
    """The model stack that the job runs on, also where `auto` chose it."""
    retry_of: t.Optional[str] = None
    """The job that this one runs again; absent where it runs none again."""
    extracted_from: t.Optional[str] = None
    """The job whose transcript, frames and descriptions this one's result is extracted from; absent where the job has read its source itself."""
    destination_ids: t.List[str]
    webhook_url: t.Union[str, None]
    metadata: t.Dict[str, str]
    """Up to 20 pairs of the caller's own."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    started_at: t.Union[datetime, None]
    finished_at: t.Union[datetime, None]
    progress: JobProgress
    source: t.Union[Source, None]
    result_confidence: t.Union[float, None]
    warnings: t.List[Warning]
    error: t.Union[JobError, None]
    usage: JobUsage
    provenance: t.Union[Provenance, None]
    """Which models made the result and on what they ran, once the job has ended."""
    result: t.Any = None
    """The typed result; null where the job has none, absent where `data.result_url` names it."""


class Evidence(Model):
    spans: t.List[EvidenceSpan]
    unfilled: t.List[Unfilled]


class JobSucceededEventData(Model):
    job: EventJob
    evidence: t.Optional[Evidence] = None
    evidence_url: t.Optional[str] = None
    """In place of `evidence` where the body would be over 1 MiB with it."""
    result_url: t.Optional[str] = None
    """In place of the result where the body would be over 1 MiB with it."""


class JobSucceededEvent(Model):
    id: str
    """Form `evt_<id>`: the `webhook-id` header, the same on every attempt."""
    type: t.Union[t.Literal["job.succeeded"], str]
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    data: JobSucceededEventData


class JobFailedEventData(Model):
    job: EventJob


class JobFailedEvent(Model):
    id: str
    """Form `evt_<id>`: the `webhook-id` header, the same on every attempt."""
    type: t.Union[t.Literal["job.failed"], str]
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    data: JobFailedEventData


class JobCancelledEventData(Model):
    job: EventJob


class JobCancelledEvent(Model):
    id: str
    """Form `evt_<id>`: the `webhook-id` header, the same on every attempt."""
    type: t.Union[t.Literal["job.cancelled"], str]
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    data: JobCancelledEventData


class DestinationTestEvent(Model):
    id: str
    """Form `evt_<id>`: the `webhook-id` header, the same on every attempt."""
    type: t.Union[t.Literal["destination.test"], str]
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    data: t.Dict[str, t.Any]


class SigningKeysKeysItem(Model):
    kty: t.Union[t.Literal["OKP"], str]
    crv: t.Union[t.Literal["Ed25519"], str]
    x: str
    kid: str
    """The key's thumbprint (RFC 7638)."""
    use: t.Union[t.Literal["sig"], str]
    alg: t.Union[t.Literal["EdDSA"], str]


class SigningKeys(Model):
    """A JWK Set (RFC 7517, RFC 8037)."""
    keys: t.List[SigningKeysKeysItem]


class ReadinessChecks(Model):
    database: t.Union[t.Literal["ok", "failing"], str]
    migrations: t.Union[t.Literal["ok", "failing"], str]
    workers: t.Union[t.Literal["ok", "failing"], str]


class Readiness(Model):
    status: t.Union[t.Literal["ready", "not_ready"], str]
    checks: ReadinessChecks
    draining: bool
    """The process is about to stop: send what is new elsewhere."""
    warnings: t.List[str]
    """Always empty: what the machines of the workers lack is told in their logs, to the operator alone."""


class Health(Model):
    status: t.Union[t.Literal["alive"], str]


class EstimateBasedOn(Model):
    duration_seconds: t.Union[t.Union[t.Literal["given", "file", "earlier_job", "history", "deployment", "prices"], str], None]
    work_seconds: t.Union[t.Union[t.Literal["given", "file", "earlier_job", "history", "deployment", "prices"], str], None]
    tokens: t.Union[t.Union[t.Literal["given", "file", "earlier_job", "history", "deployment", "prices"], str], None]
    cost: t.Union[t.Union[t.Literal["given", "file", "earlier_job", "history", "deployment", "prices"], str], None]


class Estimate(Model):
    model_stack: str
    """What the job would run on, also where `auto` chooses."""
    duration_seconds: t.Union[float, None]
    work_seconds: t.Union[float, None]
    """From the first stage's start to the last one's end."""
    tokens: t.Union[int, None]
    cost: t.Union[float, None]
    most_cost: t.Union[float, None]
    """What a job costs at most here; null where no model with a price has been seen."""
    reserves: float
    """What the job would hold back of the quota until it is over."""
    admissible: bool
    """Whether slots and quota would let it in now."""
    based_on: EstimateBasedOn
    unknown: t.List[str]
    """Names of the numbers that are null, each with the reason."""


class LimitsRequests(Model):
    json_body_bytes: int
    json_nesting: int
    reads_per_minute: t.Union[int, None]
    """Null is no limit; so are the next two."""
    writes_per_minute: t.Union[int, None]
    uploads_per_minute: t.Union[int, None]
    open_streams: int
    """Event streams, streams of the tool server and waits open at once, in each API process."""


class LimitsJobs(Model):
    """`concurrent` jobs may be queued or running, `active` are; the others wait their turn."""
    concurrent: int
    active: int
    working_at_once: int
    batch_items: int
    wait_seconds: int
    queue_seconds: int
    source_uri_characters: int
    destinations: int
    metadata_pairs: int
    metadata_key_characters: int
    metadata_value_characters: int
    hint_speakers: int
    hint_participants: int
    hint_vocabulary: int
    hint_characters: int


class Quota(Model):
    limit: t.Union[float, None]
    """For a calendar month in UTC; null is no limit."""
    used: float
    """Spent in the present month, by jobs of any outcome, erased ones included."""
    reserved: float
    """Held back for jobs that are not over, beyond what they have spent."""
    resets_at: datetime
    """RFC 3339 in UTC with milliseconds."""


class LimitsStorage(Model):
    limit: t.Union[int, None]
    """Bytes that uploads and jobs may keep; null is no limit."""
    used: int
    """Bytes of uploads, those that have begun with their announced length, and of jobs."""


class LimitsIdempotency(Model):
    key_characters: int
    lifetime_seconds: int


class LimitsLists(Model):
    default: int
    maximum: int


class LimitsSchemas(Model):
    bytes: int
    depth: int
    properties: int
    enum_values: int
    pattern_length: int
    pattern_steps: int
    unfolded: int


class LimitsUploads(Model):
    bytes: int


class LimitsSources(Model):
    bytes: int
    duration_seconds: int
    pixels: int
    streams: int


class Limits(Model):
    requests: LimitsRequests
    jobs: LimitsJobs
    """`concurrent` jobs may be queued or running, `active` are; the others wait their turn."""
    cost: Quota
    storage: LimitsStorage
    idempotency: LimitsIdempotency
    lists: LimitsLists
    schemas: LimitsSchemas
    uploads: LimitsUploads
    sources: LimitsSources


class UsageReportJobs(Model):
    """Queued and running ones stand in the present month, the others in the month they ended in."""
    queued: int
    running: int
    succeeded: int
    failed: int
    cancelled: int


class UsageReport(Model):
    period: str
    from_: datetime = Field(alias="from")
    """RFC 3339 in UTC with milliseconds."""
    to: datetime
    """The first moment after the period."""
    jobs: UsageReportJobs
    """Queued and running ones stand in the present month, the others in the month they ended in."""
    audio_seconds: float
    video_seconds: float
    frames_sampled: int
    frames_kept: int
    model_seconds: float
    tokens: int
    """Read and written by models behind an address, in the month it happened."""
    cost: float
    quota: Quota


class DeletedExport(Model):
    id: str
    deleted_at: datetime
    """RFC 3339 in UTC with milliseconds."""


EndedStatus = t.Union[t.Literal["succeeded", "failed", "cancelled"], str]


class ExportFilter(Model):
    status: t.List[EndedStatus]
    """How the jobs ended; only `succeeded` where nothing is said. A job that is at work is in no export."""
    finished_after: t.Optional[datetime] = None
    """RFC 3339, such as `2026-11-20T09:30:00Z`."""
    finished_before: t.Optional[datetime] = None
    """RFC 3339, such as `2026-11-20T09:30:00Z`."""
    created_after: t.Optional[datetime] = None
    """RFC 3339, such as `2026-11-20T09:30:00Z`."""
    created_before: t.Optional[datetime] = None
    """RFC 3339, such as `2026-11-20T09:30:00Z`."""
    schema_id: t.Optional[str] = None
    """Jobs of this schema, the tenant's own or a template."""
    metadata: t.Optional[t.Dict[str, str]] = None
    """Jobs that carry every one of these pairs."""


class Export(Model):
    id: str
    """Form `exp_<id>`."""
    status: t.Union[t.Literal["ready"], str]
    """Nothing has to be prepared: an export can be read as soon as it is made."""
    filter: ExportFilter
    include: t.List[Expansion]
    jobs: int
    """How many jobs it held when it was made; those that are erased since are left out."""
    content_url: str
    """Where its content is, below the address of the service."""
    created_at: datetime
    """Jobs that ended later are not in it."""
    expires_at: datetime
    """RFC 3339 in UTC with milliseconds."""


class ExportPage(Model):
    data: t.List[Export]
    next_cursor: t.Union[str, None]


class RecoveredDeliveries(Model):
    count: int
    """How many deliveries are sent again."""


class BackfilledDestination(Model):
    count: int
    """How many deliveries were queued."""
    more: bool
    """Whether there are more jobs than one request takes: send it again, and it goes on after these."""


DestinationType = t.Union[t.Literal["snowflake", "notion", "sheets", "slack", "webhook"], str]


DeliveryStatus = t.Union[t.Literal["pending", "delivering", "succeeded", "failed", "cancelled"], str]


DeliveryWait = t.Union[t.Literal["destination_paused", "destination_broken", "retry", "turn"], str]


class DeliveryAttempt(Model):
    number: int
    at: datetime
    """RFC 3339 in UTC with milliseconds."""
    status_code: t.Union[int, None]
    error: t.Union[str, None]
    duration_ms: int


class Delivery(Model):
    id: str
    """Form `dlv_<id>`."""
    job_id: str
    destination_id: t.Union[str, None]
    destination_type: DestinationType
    event_id: str
    """The `webhook-id` header; the same on every attempt."""
    event_type: str
    """What it tells, such as `job.succeeded`."""
    status: DeliveryStatus
    waits_for: t.Union[DeliveryWait, None]
    attempts: t.List[DeliveryAttempt]
    next_attempt_at: t.Union[datetime, None]
    """When the next attempt is due; null where there is none, or where it depends on the destination."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    finished_at: t.Union[datetime, None]


class DeliveryPage(Model):
    data: t.List[Delivery]
    next_cursor: t.Union[str, None]


DestinationStatus = t.Union[t.Literal["active", "paused", "broken"], str]


EventKind = t.Union[t.Literal["job.succeeded", "job.failed", "job.cancelled"], str]


class Destination(Model):
    id: str
    """Form `dst_<id>`."""
    name: str
    """1 to 80 characters."""
    type: DestinationType
    status: DestinationStatus
    events: t.List[EventKind]
    """What it is told of, of the jobs that name it."""
    last_health_check_at: t.Union[datetime, None]
    last_health_status: t.Union[str, None]
    """`ok`, or what was wrong, such as `auth_failed`, `not_found`, `unreachable`, `http_503`."""
    last_health_message: t.Union[str, None]
    """Why the destination is broken, or what its owner should know of it, in a sentence."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""


class CreatedDestination(Model):
    id: str
    """Form `dst_<id>`."""
    name: str
    """1 to 80 characters."""
    type: DestinationType
    status: DestinationStatus
    events: t.List[EventKind]
    """What it is told of, of the jobs that name it."""
    last_health_check_at: t.Union[datetime, None]
    last_health_status: t.Union[str, None]
    """`ok`, or what was wrong, such as `auth_failed`, `not_found`, `unreachable`, `http_503`."""
    last_health_message: t.Union[str, None]
    """Why the destination is broken, or what its owner should know of it, in a sentence."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    signing_secret: t.Optional[str] = None
    """Standard Webhooks secret (`whsec_…`) of a webhook destination. Shown here and never again."""


class DeletedDestination(Model):
    id: str
    """Form `dst_<id>`."""
    deleted_at: datetime
    """RFC 3339 in UTC with milliseconds."""


class DestinationPage(Model):
    data: t.List[Destination]
    next_cursor: t.Union[str, None]


class RevokedApiKey(Model):
    id: str
    """Form `key_<id>`."""
    revoked_at: datetime
    """RFC 3339 in UTC with milliseconds."""


class ApiKey(Model):
    id: str
    """Form `key_<id>`."""
    name: str
    """1 to 100 characters."""
    prefix: str
    """The visible part of the key."""
    scopes: t.List[str]
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    last_used_at: t.Union[datetime, None]
    """To the minute."""
    revoked_at: t.Union[datetime, None]


class ApiKeyPage(Model):
    data: t.List[ApiKey]
    next_cursor: t.Union[str, None]


class CreatedApiKey(Model):
    id: str
    """Form `key_<id>`."""
    name: str
    """1 to 100 characters."""
    prefix: str
    """The visible part of the key."""
    secret: str
    """The key. Shown here and never again."""
    scopes: t.List[str]
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""


class DeletedSchema(Model):
    id: str
    deleted_at: datetime
    """RFC 3339 in UTC with milliseconds."""


class SchemaTest(Model):
    job_id: str
    """The job that did it: erased already where `status` is terminal, else to be read as any other."""
    status: JobStatus
    result: t.Any
    result_confidence: t.Union[float, None]
    evidence: t.Union[JobEvidence, None]
    """With `unfilled`: what was not found, and why."""
    warnings: t.List[Warning]
    error: t.Union[JobError, None]


class SchemaVersion(Model):
    version: int
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""


class SchemaVersions(Model):
    data: t.List[SchemaVersion]


SchemaId = str


class RegisteredSchemaWarningsItem(Model):
    path: str
    message: str


class RegisteredSchema(Model):
    id: SchemaId
    name: str
    description: t.Union[str, None]
    is_template: bool
    version: int
    """Counts up from 1. A version never changes; a job that names none takes the newest and tells which."""
    json_schema: t.Any
    created_at: t.Union[datetime, None]
    """Of this version; null for a template."""
    warnings: t.List[RegisteredSchemaWarningsItem]
    """At most ten; `path` is a JSON pointer into a result, `*` for any entry of an array."""


class ExtractionSchema(Model):
    id: SchemaId
    name: str
    description: t.Union[str, None]
    is_template: bool
    version: int
    """Counts up from 1. A version never changes; a job that names none takes the newest and tells which."""
    json_schema: t.Any
    created_at: t.Union[datetime, None]
    """Of this version; null for a template."""


class SchemaSummary(Model):
    id: SchemaId
    name: str
    description: t.Union[str, None]
    is_template: bool


class SchemaPage(Model):
    data: t.List[SchemaSummary]
    next_cursor: t.Union[str, None]


class InferredSchemaWarningsItem(Model):
    path: str
    message: str


class InferredSchema(Model):
    json_schema: t.Any
    warnings: t.List[InferredSchemaWarningsItem]
    """At most ten; `path` is a JSON pointer into a result, `*` for any entry of an array."""


class DeletedUpload(Model):
    id: str
    deleted_at: datetime
    """RFC 3339 in UTC with milliseconds."""


class Upload(Model):
    id: str
    """Form `upl_<id>`."""
    uri: str
    """What a job's `source_uri` takes: `upload://upl_<id>`."""
    size_bytes: int
    """Length of the whole file."""
    received_bytes: int
    """How much of it is here: `size_bytes` once it can be used."""
    filename: t.Union[str, None]
    """The file's name as its sender told it, without folders: `filename` of `Upload-Metadata` or `Content-Disposition`; null where none was told."""
    sha256: t.Union[str, None]
    """SHA-256 of the file in hexadecimal digits; null until all of it is here."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    expires_at: datetime
    """When it is dropped: 7 days after it was complete, or 24 hours after the last byte of an unfinished one."""


class UploadPage(Model):
    data: t.List[Upload]
    next_cursor: t.Union[str, None]


class ManifestSignaturesItem(Model):
    keyid: str
    """The `kid` of the key at `/.well-known/footnote-signing-keys`."""
    sig: str
    """Base64 of the Ed25519 signature over the pre-authentication encoding."""


class Manifest(Model):
    payloadType: t.Union[t.Literal["application/vnd.in-toto+json"], str]
    payload: str
    """Base64 of an in-toto Statement v1: the hash of everything that the job made, and what it was made from."""
    signatures: t.List[ManifestSignaturesItem]


class JobGraph(Model):
    job_id: str
    """Form `job_<id>`."""
    view: t.Union[t.Literal["compact", "canonical"], str]
    nodes: t.List[GraphNode]
    edges: t.List[GraphEdge]


class JobFrames(Model):
    job_id: str
    """Form `job_<id>`."""
    visual_branch: t.Union[t.Literal["present", "absent"], str]
    sampled: int
    kept: int
    frames: t.List[Frame]


class JobEvent(Model):
    id: int
    type: t.Union[t.Literal["status", "stage", "progress"], str]
    at: datetime
    """RFC 3339 in UTC with milliseconds."""
    status: JobStatus
    progress: JobProgress


class DeletedJob(Model):
    id: str
    deleted_at: datetime
    """RFC 3339 in UTC with milliseconds."""


class CreatedJob(Model):
    id: str
    """Form `job_<id>`."""
    status: JobStatus
    title: t.Optional[str] = None
    """What the footage is called: by its caller, else by the upload's file name or the last part of the address."""
    source_uri: str
    schema_id: t.Union[str, None]
    schema_version: t.Optional[int] = None
    """The version of that schema which the job runs with; absent where no schema is named by its id."""
    model_stack: str
    """The model stack that the job runs on, also where `auto` chose it."""
    retry_of: t.Optional[str] = None
    """The job that this one runs again; absent where it runs none again."""
    extracted_from: t.Optional[str] = None
    """The job whose transcript, frames and descriptions this one's result is extracted from; absent where the job has read its source itself."""
    destination_ids: t.List[str]
    webhook_url: t.Union[str, None]
    metadata: t.Dict[str, str]
    """Up to 20 pairs of the caller's own."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    started_at: t.Union[datetime, None]
    finished_at: t.Union[datetime, None]
    progress: JobProgress
    source: t.Union[Source, None]
    result_confidence: t.Union[float, None]
    warnings: t.List[Warning]
    error: t.Union[JobError, None]
    usage: JobUsage
    provenance: t.Union[Provenance, None]
    """Which models made the result and on what they ran, once the job has ended."""
    result: t.Any
    """The typed result, once the job has succeeded."""
    webhook_signing_secret: t.Optional[str] = None
    """Standard Webhooks secret (`whsec_…`) of this job's `webhook_url`."""


class Job(Model):
    id: str
    """Form `job_<id>`."""
    status: JobStatus
    title: t.Optional[str] = None
    """What the footage is called: by its caller, else by the upload's file name or the last part of the address."""
    source_uri: str
    schema_id: t.Union[str, None]
    schema_version: t.Optional[int] = None
    """The version of that schema which the job runs with; absent where no schema is named by its id."""
    model_stack: str
    """The model stack that the job runs on, also where `auto` chose it."""
    retry_of: t.Optional[str] = None
    """The job that this one runs again; absent where it runs none again."""
    extracted_from: t.Optional[str] = None
    """The job whose transcript, frames and descriptions this one's result is extracted from; absent where the job has read its source itself."""
    destination_ids: t.List[str]
    webhook_url: t.Union[str, None]
    metadata: t.Dict[str, str]
    """Up to 20 pairs of the caller's own."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    started_at: t.Union[datetime, None]
    finished_at: t.Union[datetime, None]
    progress: JobProgress
    source: t.Union[Source, None]
    result_confidence: t.Union[float, None]
    warnings: t.List[Warning]
    error: t.Union[JobError, None]
    usage: JobUsage
    provenance: t.Union[Provenance, None]
    """Which models made the result and on what they ran, once the job has ended."""
    result: t.Any
    """The typed result, once the job has succeeded."""


class JobSchema(Model):
    job_id: str
    schema_id: t.Union[str, None]
    json_schema: t.Any
    """As it was sent, member for member."""
    normalised: t.Any
    """The copy in 2020-12 that judges and fills."""


class ListedJob(Model):
    id: str
    """Form `job_<id>`."""
    status: JobStatus
    title: t.Optional[str] = None
    """What the footage is called: by its caller, else by the upload's file name or the last part of the address."""
    source_uri: str
    schema_id: t.Union[str, None]
    schema_version: t.Optional[int] = None
    """The version of that schema which the job runs with; absent where no schema is named by its id."""
    model_stack: str
    """The model stack that the job runs on, also where `auto` chose it."""
    retry_of: t.Optional[str] = None
    """The job that this one runs again; absent where it runs none again."""
    extracted_from: t.Optional[str] = None
    """The job whose transcript, frames and descriptions this one's result is extracted from; absent where the job has read its source itself."""
    destination_ids: t.List[str]
    webhook_url: t.Union[str, None]
    metadata: t.Dict[str, str]
    """Up to 20 pairs of the caller's own."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    started_at: t.Union[datetime, None]
    finished_at: t.Union[datetime, None]
    progress: JobProgress
    source: t.Union[Source, None]
    result_confidence: t.Union[float, None]
    warnings: t.List[Warning]
    error: t.Union[JobError, None]
    usage: JobUsage
    provenance: t.Union[Provenance, None]
    """Which models made the result and on what they ran, once the job has ended."""
    result: t.Any = None
    """The typed result."""
    evidence: t.Optional[JobEvidence] = None
    damaged: t.Optional[t.List[Expansion]] = None
    """What was asked for and is lost or not what was written: `ARTIFACT_DAMAGED` where it is read alone."""


class JobPage(Model):
    data: t.List[ListedJob]
    next_cursor: t.Union[str, None]


class BatchOutcomeError(Model):
    code: ErrorCode
    message: str
    details: t.Optional[t.List[ErrorDetail]] = None
    request_id: str


class BatchOutcome(Model):
    status: int
    """The HTTP status that the item would have had as a request of its own."""
    job: t.Optional[CreatedJob] = None
    error: t.Optional[BatchOutcomeError] = None


class Batch(Model):
    data: t.List[BatchOutcome]
    """One for each item, in their order."""


ReadExportAnswer = str


EVENTS: t.Dict[str, t.Type[Model]] = {
    "job.succeeded": JobSucceededEvent,
    "job.failed": JobFailedEvent,
    "job.cancelled": JobCancelledEvent,
    "destination.test": DestinationTestEvent,
}
"""What webhooks are sent, by `type`."""

for _model in Model.__subclasses__():
    _model.model_rebuild()
