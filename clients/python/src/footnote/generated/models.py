# Generated from docs/openapi.json by tools/write-clients.ts; never edited.
from __future__ import annotations

import typing as t
from datetime import datetime

from pydantic import Field

from .._model import Model

__all__ = ["ApiKey", "ApiKeyPage", "BackfilledDestination", "Batch", "BatchCompletedEvent", "BatchCompletedEventData", "BatchDetails", "BatchDetailsCounts", "BatchDetailsItemsItem", "BatchDetailsItemsItemError", "BatchDetailsProgress", "BatchOutcome", "BatchOutcomeError", "BatchPage", "BatchRecord", "BatchRecordCounts", "BatchRecordProgress", "Checks", "Citation", "CreatedApiKey", "CreatedDestination", "CreatedJob", "Decision", "DeletedDestination", "DeletedExport", "DeletedJob", "DeletedSchema", "DeletedUpload", "Delivery", "DeliveryAttempt", "DeliveryPage", "DeliveryStatus", "DeliveryWait", "Destination", "DestinationPage", "DestinationStatus", "DestinationTestEvent", "DestinationType", "EndedStatus", "ErrorCode", "ErrorDetail", "ErrorEnvelope", "ErrorEnvelopeError", "Estimate", "EstimateBasedOn", "EventJob", "EventKind", "Evidence", "EvidenceCounts", "EvidenceCounts1", "EvidenceSpan", "EvidenceSpanAlternativesItem", "EvidenceSpanCorroboratedByItem", "ExpandedJob", "Expansion", "Export", "ExportFilter", "ExportLine", "ExportPage", "ExtractionSchema", "Frame", "FrameDescription", "GivenHints", "GoldRecord", "GoldRecord1", "GoldRecord1OcrItem", "GoldRecord1SegmentsItem", "GoldRecord1TrapsItem", "GoldRecordOcrItem", "GoldRecordSegmentsItem", "GoldRecordTrapsItem", "Grade", "GraphEdge", "GraphNode", "Health", "InferredSchema", "InferredSchemaWarningsItem", "Job", "JobCancelledEvent", "JobCancelledEventData", "JobError", "JobEvent", "JobEvidence", "JobFailedEvent", "JobFailedEventData", "JobFailureCode", "JobFrames", "JobFrames1", "JobGraph", "JobGraph1", "JobPage", "JobProgress", "JobResult", "JobReviewedEvent", "JobReviewedEventData", "JobSchema", "JobSpeaker", "JobSpeakers", "JobStatus", "JobSucceededEvent", "JobSucceededEventData", "JobTranscript", "JobUsage", "JobVision", "Label", "LanguageModel", "Limits", "LimitsIdempotency", "LimitsJobs", "LimitsLists", "LimitsRequests", "LimitsSchemas", "LimitsSources", "LimitsStorage", "LimitsUploads", "ListedJob", "Manifest", "ManifestSignaturesItem", "MediaFragment", "MediaLink", "ModelRun", "ModelStacks", "ModelStacksDataItem", "Precision1", "Preview", "PreviewSource", "Provenance", "Quota", "ReadExportAnswer", "Readiness", "ReadinessChecks", "RecoveredDeliveries", "RegisteredSchema", "RegisteredSchemaWarningsItem", "Review", "ReviewAction", "ReviewCitation", "ReviewPage", "ReviewSummary", "Reviewer", "RevokedApiKey", "RotatedWebhookSecret", "SchemaId", "SchemaPage", "SchemaSummary", "SchemaTest", "SchemaVersion", "SchemaVersions", "SeenKind", "Segment", "Session", "SessionKey", "SessionTenant", "Settings", "SigningKeys", "SigningKeysKeysItem", "Source", "Speaker", "SpeakerTurn", "SpokenOverlap", "StageName", "StageProgress", "StageStatus", "TextLine", "Unfilled", "UnfilledCandidate", "UnfilledReason", "Upload", "UploadPage", "UsageReport", "UsageReportJobs", "Warning", "WarningCode", "Word"]


class ErrorDetail(Model):
    """One thing that is wrong."""
    path: str
    """Where it is. In a body: a JSON pointer (RFC 6901) such as `/source_uri`, `/metadata/a`, `/destination_ids/0`, and `""` for the whole of it. In a query, a path or the headers: the parameter's name, such as `limit`. With `SCHEMA_INVALID`: a JSON pointer into the schema. Where the state of a thing is in the way, the name of that field, such as `status`."""
    message: str
    """Why, in words for people."""


class ErrorEnvelopeError(Model):
    """The error."""
    code: ErrorCode
    message: str
    """What is wrong and what to do, in words for people."""
    details: t.Optional[t.List[ErrorDetail]] = None
    """Each thing that is wrong, where there is more to say than the message."""
    request_id: str
    """The id of the request, as in `X-Request-Id`: quote it when you ask."""


class ErrorEnvelope(Model):
    """The one form of every error."""
    error: ErrorEnvelopeError
    """The error."""


class GivenHints(Model):
    """The hints of a job, as they were given."""
    num_speakers: t.Optional[int] = None
    """Exactly so many voices."""
    min_speakers: t.Optional[int] = None
    """At least so many voices."""
    max_speakers: t.Optional[int] = None
    """At most so many voices."""
    participants: t.Optional[t.List[str]] = None
    """Names of who may be heard, as they are to be spelt."""
    vocabulary: t.Optional[t.List[str]] = None
    """Words that are likely to come up, as they are to be spelt."""
    language: t.Optional[str] = None
    """The language that is spoken, as a tag such as `en`."""
    recorded_at: t.Optional[str] = None
    """The day it was recorded, `YYYY-MM-DD`: what is said as `next Friday` is counted from it."""
    captions: t.Optional[t.Union[t.Literal["prefer", "ignore"], str]] = None
    """`prefer`: captions in the file take the place of recognised speech. `ignore`: they are not read."""
    corrections: t.Optional[t.Union[t.Literal["use", "ignore"], str]] = None
    """`use`: words that the tenant's people corrected in earlier results, and names that they gave to speakers, are added to vocabulary and participants. Default: `ignore`."""


class StageProgress(Model):
    """How far one stage is."""
    name: StageName
    status: StageStatus
    fraction: float
    """From 0 to 1."""
    started_at: t.Union[datetime, None]
    """When its work began; null before."""
    finished_at: t.Union[datetime, None]
    """When it ended; null before."""


class JobProgress(Model):
    """How far a job is."""
    stage: t.Union[StageName, None]
    """The earliest stage still at work; null before the first and after the last."""
    fraction: float
    """From 0 to 1."""
    stages: t.List[StageProgress]
    """All of them, in the order of the pipeline."""


class Source(Model):
    """What the file is, as measured, not as its header claims."""
    container: str
    """Format of the file."""
    duration_seconds: float
    """Length of the source in seconds."""
    width: t.Union[int, None]
    """Width in pixels; null without a picture."""
    height: t.Union[int, None]
    """Height in pixels; null without a picture."""
    frame_rate: t.Union[float, None]
    """Pictures in a second; null without a picture."""
    audio: t.Union[str, None]
    """Codec of the sound; null without."""
    video: t.Union[str, None]
    """Codec of the picture; null without."""
    size_bytes: int
    """The file's bytes."""
    sha256: str
    """Of the file's bytes."""


class EvidenceCounts(Model):
    """How many leaves the schema asks for, and how many of them were found, verified and not found; absent until the job has succeeded, and where an earlier version did not count."""
    leaves: int
    """Leaves that were asked for: all of the result, and those that it leaves out."""
    filled: int
    """Those with a value that the footage gives; the schema's own values are none."""
    verified: int
    """Those of them whose span is verified."""
    unfilled: int
    """Those that are told in `unfilled`."""


class Warning(Model):
    """A trouble that did not stop the job."""
    code: t.Union[WarningCode, str]
    """Which kind of trouble: one of these, or one that is added later."""
    message: str
    """What happened and what it means for the result, in words for people."""
    pointers: t.Optional[t.List[str]] = None
    """With `PLACEHOLDERS`: JSON pointers into the result, the first 20."""


class JobError(Model):
    """Why a job failed."""
    code: JobFailureCode
    message: str
    """What is wrong and what to do, in words for people."""
    stage: t.Union[StageName, None]
    """The stage that failed; null where none did."""


class JobUsage(Model):
    """What the job took."""
    audio_seconds: float
    """Seconds of sound that were listened to."""
    frames_sampled: int
    """How many frames were looked at."""
    frames_kept: int
    """How many of them carry new information and were read."""
    model_seconds: float
    """Seconds that models worked, by the clock of the machines they ran on: the same file takes more on a busy machine, so this tells where time went and is no unit to bill by. `audio_seconds` and `frames_kept` depend on the source alone."""
    tokens: int
    """Tokens that models behind an address read and wrote."""
    cost: float
    """In the currency of the operator's prices, for models behind an address; 0 where none was used."""


class ModelRun(Model):
    """One model as it ran for a job."""
    role: str
    """What the model was for, such as `asr` or `ocr`."""
    name: str
    """Its name."""
    execution_provider: t.Union[t.Literal["cpu", "cuda", "webgpu", "vulkan", "metal", "remote"], str]
    """Where it ran: on which processor here, or `remote` behind an address."""


class Provenance(Model):
    """What made a job's result."""
    models: t.List[ModelRun]
    """Every model that ran, once for each processor that it ran on."""


class EvidenceSpanCorroboratedByItem(Model):
    origin_channel: t.Union[t.Literal["asr", "captions", "ocr", "vision", "metadata"], str]
    """What the other quote was read from."""
    source_ref: str
    """The segment or frame that says the same."""
    t_start: float
    """When it begins, in seconds."""
    t_end: float
    """When it ends, in seconds."""
    quote: str
    """Its words, character for character."""
    media_fragment: MediaFragment


class EvidenceSpanAlternativesItem(Model):
    value: t.Any
    """The value that was not taken."""
    source_ref: str
    """The segment or frame that it is in."""
    t_start: float
    """When it begins, in seconds."""
    t_end: float
    """When it ends, in seconds."""
    quote: str
    """Its words, character for character."""
    media_fragment: MediaFragment


class Citation(Model):
    """One place of the source that a value rests on."""
    source_ref: str
    """The segment or frame."""
    t_start: float
    """When it begins, in seconds."""
    t_end: float
    """When it ends, in seconds."""
    quote: str
    """Its words, character for character."""
    role: t.Union[t.Literal["value", "subject", "question", "input", "support"], str]
    """`value`: says the value. `subject`: says whom or what it is about. `question`: what it answers. `input`: enters the formula. `support`: carries one sentence of a generated text."""
    origin_channel: t.Union[t.Literal["asr", "captions", "ocr", "vision", "metadata"], str]
    """What it was read from."""
    media_fragment: MediaFragment


class Checks(Model):
    """What was checked of a span."""
    quoted: bool
    """Every citation's quote is in its source, word for word, at its moment."""
    derivable: t.Union[bool, None]
    """The value follows from the quotes by rule: derived again where `stated` or `computed`; where `generated`, every number, name and quoted word of it stands in its citations. Null where no rule can say, as for `classified`."""
    answers: t.Union[float, None]
    """How surely the citations answer what this field asks, as somebody other than the proposer sees it; null where nobody judged."""
    judged_by: t.Union[t.Union[t.Literal["rules", "reader", "model", "person"], str], None]
    """Who judged: rules, a reading model of the stack, a language model in a call of its own, or the person who reviewed it."""


class Reviewer(Model):
    """Who decided: an API key and its name."""
    key_id: t.Union[str, None]
    """The API key; null where it was none."""
    name: t.Union[str, None]
    """The key's name when it was decided."""


class EvidenceSpan(Model):
    """Where one value of the result comes from: the words or pixels, word for word, and their moment."""
    pointer: str
    """JSON pointer (RFC 6901) of the value in the result, such as `/items/0/price`."""
    value: t.Any
    """The value as it stands in the result."""
    origin: t.Union[t.Literal["extracted", "derived", "default", "person"], str]
    """`extracted`: the value is in the quote. `derived`: it follows from the moment, the speaker or the order of what is quoted. `default`: the schema's own. `person`: a review gave it, in reviewed evidence alone."""
    origin_channel: t.Union[t.Literal["asr", "captions", "ocr", "vision", "metadata"], str]
    """What the quote was read from: `asr` recognised speech, `captions` embedded captions, `ocr` text on screen, `vision` a thing that was found on a frame, or a model's sentence about one, `metadata` what is in no frame and no sound, such as the schema's own value."""
    modality: t.Union[t.Literal["audio", "visual", "both", "none"], str]
    """Whether it was heard or seen; `both` where the other kind says the same at that moment (`corroborated_by`), `none` where it is the schema's own."""
    t_start: float
    """When the quoted words begin or the quoted text is first on screen, in seconds."""
    t_end: float
    """When they end, or it is last on screen, in seconds."""
    source_ref: t.Union[str, t.Union[t.Literal["schema", "person"], str]]
    """`seg#…`: a segment of the transcript. `frame#…`: a sampled frame, as in the frame inventory. `schema`: the schema's own value, from 0 to 0 s without a quote; `person`: the same of a value that a review gave without a place."""
    frame_id: t.Optional[str] = None
    """The kept frame that shows it, for `GET /v1/jobs/{id}/frames/{frame_id}/image`; absent where it was heard."""
    quote: str
    """The words of the source, character for character as its segment or line has them; of a thing on a frame its label's name."""
    word_confidence: t.Optional[float] = None
    """The recogniser's own mean confidence in the cited words, uncalibrated: it ranks, and is no probability that they are right. Absent where nothing was recognised from speech."""
    media_fragment: MediaFragment
    node_id: t.Union[str, None]
    """The node of the canonical graph that holds the quote; null where none does."""
    support: t.Union[t.Literal["verbatim", "normalised", "fuzzy", "inferred"], str]
    """How the value follows from the quote. `verbatim`: it stands there. `normalised`: as a number, a date, another spelling. `fuzzy`: nearly. `inferred`: from the sense, the moment or the order."""
    confidence: t.Union[float, None]
    """How likely this is the value that the field asks for, as its proposer's record has it; null only in evidence that an earlier version wrote."""
    verified: bool
    """All of `checks` hold: every quote is in its source at that moment, the value follows from the quotes by rule where a rule can say, and `answers` reaches what the job's `precision` asks. What an earlier version wrote says the first two alone."""
    corroborated_by: t.List[EvidenceSpanCorroboratedByItem]
    """Where else, in the other modality, the source says the same."""
    alternatives: t.List[EvidenceSpanAlternativesItem]
    """Other values for this field that the source holds, the likeliest first."""
    grade: Grade
    citations: t.List[Citation]
    """Everything that the value rests on. The first repeats the span's own `source_ref`, moment and `quote`; none where `grade` is `default`."""
    checks: Checks
    proposed_by: str
    """Who proposed the value, such as `rules:screen-label`, `ranker`, `list:series`, `qa:MODEL` or `llm:MODEL`."""
    formula: t.Optional[str] = None
    """Of a computed value: how it comes from its inputs, such as `t_start(quote)`, `position(entry)` or `speaker(quote)`."""
    reviewed_by: t.Optional[Reviewer] = None
    revision: t.Optional[int] = None
    """The revision that decided on it last."""


class UnfilledCandidate(Model):
    """A value that was found and held back."""
    value: t.Any
    """The value that was held back."""
    confidence: t.Union[float, None]
    """How likely it is the value that the field asks for."""
    quote: str
    """The words that it was proposed with, as they stand in the source where they do."""
    source_ref: t.Union[str, None]
    """The segment or frame; null where the quote is in none."""
    t_start: t.Union[float, None]
    """When it begins, in seconds; null where the quote is nowhere."""
    t_end: t.Union[float, None]
    """When it ends, in seconds; null where the quote is nowhere."""
    refused_because: str
    """Why it is not in the result, in words for people."""


class Unfilled(Model):
    """A leaf of the schema that no evidence was found for."""
    pointer: str
    """JSON pointer of the leaf, in the result or where it would have been."""
    reason: t.Union[UnfilledReason, str]
    """Why: one of these, or in reviewed evidence `rejected`. Earlier versions also wrote `does_not_fit`, `placeholder`, `default` and `constant`; others may be added."""
    candidates: t.List[UnfilledCandidate]
    """Up to three values that were found and held back, the likeliest first."""
    reviewed_by: t.Optional[Reviewer] = None
    revision: t.Optional[int] = None
    """The revision that decided on it last."""


class EvidenceCounts1(Model):
    """How much of what the schema asks was found."""
    leaves: int
    """Leaves that were asked for: all of the result, and those that it leaves out."""
    filled: int
    """Those with a value that the footage gives; the schema's own values are none."""
    verified: int
    """Those of them whose span is verified."""
    unfilled: int
    """Those that are told in `unfilled`."""


class JobEvidence(Model):
    """Where each value of the result comes from, and what was not found."""
    job_id: str
    """Form `job_<id>`."""
    spans: t.List[EvidenceSpan]
    """One for every leaf of the result that has a value, in document order; those that the schema itself gives are of grade `default`."""
    unfilled: t.List[Unfilled]
    """Every other leaf of the schema, with the reason and what was held back."""
    counts: EvidenceCounts1
    revision: t.Optional[int] = None
    """With `reviewed=true`: the last review that it holds, 0 where there is none."""


class Speaker(Model):
    """One voice of the recording."""
    id: str
    """`S1`, `S2`, …"""
    label: str
    """A name that was given or heard, else a number."""
    speaking_seconds: float
    """How long the voice is heard."""


class Word(Model):
    """One word and when it was said."""
    t_start: float
    """When it begins, in seconds from the start of the source."""
    t_end: float
    """When it ends, in seconds from the start of the source."""
    text: str
    """The word as it was recognised."""
    confidence: float
    """The recogniser's own, from 0 to 1; uncalibrated."""


class Segment(Model):
    """A stretch of one speaker."""
    id: str
    """Its reference in evidence, `seg#NNNNNN`."""
    origin: t.Union[t.Literal["asr", "captions"], str]
    """`asr`: recognised from sound. `captions`: read from captions in the file."""
    t_start: float
    """When it begins, in seconds from the start of the source."""
    t_end: float
    """When it ends, in seconds from the start of the source."""
    speaker: t.Union[str, None]
    """The id of who speaks; null where that is not known."""
    text: str
    """Its words, joined by single spaces."""
    confidence: float
    """How likely a word of it is right, where that was measured for the recogniser; otherwise the mean of its words' own."""
    words: t.List[Word]
    """Word by word."""


class SpeakerTurn(Model):
    """A stretch in which one speaker is heard, words or none."""
    speaker: str
    """The id of who is heard."""
    t_start: float
    """When it begins, in seconds from the start of the source."""
    t_end: float
    """When it ends, in seconds from the start of the source."""


class SpokenOverlap(Model):
    """A stretch in which several speakers are heard at once."""
    t_start: float
    """When it begins, in seconds from the start of the source."""
    t_end: float
    """When it ends, in seconds from the start of the source."""
    speakers: t.List[str]
    """The ids of who is heard."""


class JobTranscript(Model):
    """What was said, by whom and when."""
    job_id: str
    """Form `job_<id>`."""
    language: t.Union[str, None]
    """The language that is spoken, as a tag such as `en`; null where that is not known."""
    duration_seconds: float
    """Length of the source in seconds."""
    text: str
    """All segments, one after the other."""
    speakers: t.List[Speaker]
    """Who is heard."""
    segments: t.List[Segment]
    """What was said, in time order."""
    turns: t.List[SpeakerTurn]
    """Who is heard when, in time order and without overlap."""
    overlaps: t.Optional[t.List[SpokenOverlap]] = None
    """Where several speak at once and words may be lost. Absent where the models cannot tell."""
    audio_branch: t.Union[t.Literal["present", "absent"], str]
    """`absent` where there is no sound or nothing is heard in it; then there are no segments, which is no error."""
    model: t.Union[str, None]
    """The models that wrote it; null where none ran."""


class Frame(Model):
    """One sampled frame. Only a kept one has an image; the others point at it by `cluster`."""
    id: str
    """Its id."""
    source_ref: str
    """The frame's reference in evidence, `frame#NNNNNN`."""
    timestamp: float
    """When its picture begins, in seconds from the start of the source."""
    cluster: int
    """Frames of one cluster show the same."""
    phash: str
    """Perceptual hash, 64 bits in hexadecimal: alike pictures differ in few of them."""
    kept: bool
    """Whether it carries new information: then it was read, and has an image."""
    width: int
    """Width in pixels."""
    height: int
    """Height in pixels."""


class JobFrames1(Model):
    """The kept frames."""
    job_id: str
    """Form `job_<id>`."""
    visual_branch: t.Union[t.Literal["present", "absent"], str]
    """`absent` where the source has no picture; then there are no frames, which is no error."""
    sampled: int
    """How many frames were looked at."""
    kept: int
    """How many carry new information."""
    frames: t.List[Frame]
    """In time order."""


class TextLine(Model):
    """One line of text on a frame."""
    text: str
    """As it was read."""
    box: t.List[float]
    """`[x, y, width, height]` in fractions of the frame."""
    confidence: float
    """The recogniser's own, from 0 to 1; uncalibrated."""


class Label(Model):
    """What a picture shows: what it is as a whole, or one thing on it."""
    name: str
    """Its name."""
    confidence: float
    """The model's own, from 0 to 1; uncalibrated."""
    box: t.Optional[t.List[float]] = None
    """`[x, y, width, height]` in fractions of the frame, of one thing on it; absent where the whole frame is meant."""


class FrameDescription(Model):
    """What is on one kept frame."""
    frame_id: str
    """The frame's id, `frm_…`."""
    source_ref: str
    """The frame's reference in evidence, `frame#NNNNNN`."""
    timestamp: float
    """When its picture begins, in seconds from the start of the source."""
    description: str
    """What is on it, in a sentence that says only what was measured, after a model's own where there is one."""
    model_sentence: t.Optional[str] = None
    """What a model says about the picture; absent where the stack has no such model."""
    text: t.List[TextLine]
    """The text on it, in reading order."""
    labels: t.List[Label]
    """What it shows, in words."""


class SeenKind(Model):
    """What is seen of one kind of thing over the whole source."""
    name: str
    """The kind, as in `labels`."""
    most_at_once: int
    """The most of them on one kept frame."""
    places: int
    """In how many places one was seen, never fewer than `most_at_once`. Where it is more they came one after another, moved, or the camera did; which of them are the same is not known."""
    frames: int
    """On how many kept frames."""
    t_start: float
    """The moment of the first of these frames, in seconds."""
    t_end: float
    """The moment of the last, in seconds."""


class JobVision(Model):
    """What is on screen."""
    job_id: str
    """Form `job_<id>`."""
    visual_branch: t.Union[t.Literal["present", "absent"], str]
    """`absent` where the source has no picture; then there are no frames, which is no error."""
    frames: t.List[FrameDescription]
    """The kept frames, in time order."""
    kinds: t.Optional[t.List[SeenKind]] = None
    """What is surely seen of each kind of thing over the whole source; absent where nothing is."""
    model: t.Union[str, None]
    """The models that wrote it; null where none ran."""


class GraphNode(Model):
    """An entity, a claim as it was said or shown, a speaker, or an entry of the result."""
    id: str
    """Its id."""
    kind: t.Union[t.Literal["entity", "claim", "speaker", "result"], str]
    """`entity`, `claim` (a sentence as it was said or shown), `speaker` or `result` (an entry of a list in the result, or a value outside of lists)."""
    label: str
    """The name, the sentence word for word, or the first text of the result's entry."""
    type: t.Union[str, None]
    """What kind of entity it is, or what the result calls its list or field; null where that is not known."""
    t_start: float
    """When it begins, in seconds from the start of the source."""
    t_end: float
    """When it ends, in seconds from the start of the source."""
    modality: t.Union[t.Literal["audio", "visual", "both"], str]
    """Whether it is heard, seen, or both."""
    source_refs: t.List[str]
    """Where it shows: segments (`seg#…`) and frames (`frame#…`)."""
    mentions: int
    """How often it comes up."""


class GraphEdge(Model):
    """How two nodes belong together, and where that shows."""
    id: str
    """Its id."""
    source: str
    """The id of the node that it comes from."""
    target: str
    """The id of the node that it leads to."""
    relation: str
    """What the source is to the target, such as `states` or `mentions`."""
    t_start: float
    """When it begins, in seconds from the start of the source."""
    t_end: float
    """When it ends, in seconds from the start of the source."""
    source_refs: t.List[str]
    """Where it shows: segments (`seg#…`) and frames (`frame#…`)."""


class JobGraph1(Model):
    """In its compact view."""
    job_id: str
    """Form `job_<id>`."""
    view: t.Union[t.Literal["compact", "canonical"], str]
    """`compact` merges mentions of one thing and drops what nothing refers to; `canonical` has everything."""
    nodes: t.List[GraphNode]
    """Entities, claims and speakers."""
    edges: t.List[GraphEdge]
    """How nodes belong together."""


class GoldRecord1SegmentsItem(Model):
    id: str
    """What `evidence` names it by."""
    speaker: t.Union[str, None]
    """Who says it; null where that is not known."""
    t0: float
    """When it begins, in seconds."""
    t1: float
    """When it ends, in seconds."""
    text: str
    """Its words."""


class GoldRecord1OcrItem(Model):
    id: str
    """What `evidence` names it by."""
    speaker: t.Union[str, None]
    """Who says it; null where that is not known."""
    t0: float
    """When it begins, in seconds."""
    t1: float
    """When it ends, in seconds."""
    text: str
    """Its words."""
    frame: str
    """The kept frame that it was read on."""


class GoldRecord1TrapsItem(Model):
    pointer: str
    """The leaf that it is wrong for."""
    value: t.Any
    """The wrong value."""
    why: str
    """Why it is wrong."""
    evidence: t.List[str]
    """The lines that say it."""


class GoldRecord1(Model):
    """As `GET /v1/jobs/{id}/gold` has it; absent where people have not decided on every leaf."""
    id: str
    """The job's id."""
    kind: t.Union[t.Literal["video", "audio"], str]
    """Whether there is a picture."""
    lang: str
    """The language that is spoken."""
    schema_: t.Any = Field(alias="schema")
    """The job's schema, as it was sent."""
    segments: t.List[GoldRecord1SegmentsItem]
    """What was said."""
    ocr: t.List[GoldRecord1OcrItem]
    """What was on screen, line by line of each kept frame."""
    gold: t.Any
    """The right result; what nobody states is not in it."""
    evidence: t.Dict[str, t.List[str]]
    """By leaf of `gold`: the lines that say it."""
    kinds: t.Dict[str, t.Union[t.Literal["stated", "normalised", "classified", "computed", "generated"], str]]
    """By leaf of `gold`: how its value comes about."""
    facts: t.Dict[str, t.List[str]]
    """By generated leaf: what any right text holds. Always empty: a review does not say, and the text itself is compared."""
    traps: t.List[GoldRecord1TrapsItem]
    """Wrong values that a person replaced or rejected."""
    not_stated: t.List[str]
    """Leaves that are rightly empty."""


class ExpandedJob(Model):
    """A job with what was asked to stand beside it."""
    id: str
    """Form `job_<id>`."""
    status: JobStatus
    title: t.Optional[str] = None
    """What the footage is called: by its caller, else by the upload's file name or the last part of the address."""
    source_uri: str
    """As it was given."""
    source_name: t.Optional[str] = None
    """What the file is called, whatever the title is: the upload's file name or the last part of the address; absent where neither says."""
    schema_id: t.Union[str, None]
    """A saved schema or a template, `sch_…`; null where the job has none."""
    schema_version: t.Optional[int] = None
    """The version of that schema which the job runs with; absent where no schema is named by its id."""
    model_stack: str
    """The model stack that the job runs on, also where `auto` chose it."""
    retry_of: t.Optional[str] = None
    """The job that this one runs again; absent where it runs none again."""
    extracted_from: t.Optional[str] = None
    """The job whose transcript, frames and descriptions this one's result is extracted from; absent where the job has read its source itself."""
    destination_ids: t.List[str]
    """Destinations, `dst_…`, that get the result once the job has succeeded."""
    webhook_url: t.Union[str, None]
    """The address that is told of the job's end; null where there is none."""
    hints: GivenHints
    on_missing: t.Union[t.Literal["fill", "fail"], str]
    """What to do where a required value was not found: `fill` puts the smallest placeholder that the schema allows and warns with `PLACEHOLDERS`; `fail` ends the job with `EXTRACTION_FAILED`."""
    precision: t.Optional[Precision1] = None
    instructions: t.Optional[str] = None
    """What the caller said about how to read it."""
    metadata: t.Dict[str, str]
    """Up to 20 pairs of the caller's own."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    started_at: t.Union[datetime, None]
    """When its work began; null before."""
    finished_at: t.Union[datetime, None]
    """When it ended; null before."""
    progress: JobProgress
    source: t.Union[Source, None]
    """What the file is, once it has been looked at."""
    result_confidence: t.Union[float, None]
    """How sure the extractor is of the result as a whole; null where it does not say."""
    counts: t.Optional[EvidenceCounts] = None
    warnings: t.List[Warning]
    """Troubles that did not stop it."""
    error: t.Union[JobError, None]
    """What went wrong; null or absent where nothing did."""
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
    gold: t.Optional[GoldRecord1] = None
    damaged: t.Optional[t.List[Expansion]] = None
    """What was asked for and is lost or not what was written: `ARTIFACT_DAMAGED` where it is read alone."""


class ExportLine(Model):
    """One line of an export's content."""
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
    """As it was given."""
    source_name: t.Optional[str] = None
    """What the file is called, whatever the title is: the upload's file name or the last part of the address; absent where neither says."""
    schema_id: t.Union[str, None]
    """A saved schema or a template, `sch_…`; null where the job has none."""
    schema_version: t.Optional[int] = None
    """The version of that schema which the job runs with; absent where no schema is named by its id."""
    model_stack: str
    """The model stack that the job runs on, also where `auto` chose it."""
    retry_of: t.Optional[str] = None
    """The job that this one runs again; absent where it runs none again."""
    extracted_from: t.Optional[str] = None
    """The job whose transcript, frames and descriptions this one's result is extracted from; absent where the job has read its source itself."""
    destination_ids: t.List[str]
    """Destinations, `dst_…`, that get the result once the job has succeeded."""
    webhook_url: t.Union[str, None]
    """The address that is told of the job's end; null where there is none."""
    hints: GivenHints
    on_missing: t.Union[t.Literal["fill", "fail"], str]
    """What to do where a required value was not found: `fill` puts the smallest placeholder that the schema allows and warns with `PLACEHOLDERS`; `fail` ends the job with `EXTRACTION_FAILED`."""
    precision: t.Optional[Precision1] = None
    instructions: t.Optional[str] = None
    """What the caller said about how to read it."""
    metadata: t.Dict[str, str]
    """Up to 20 pairs of the caller's own."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    started_at: t.Union[datetime, None]
    """When its work began; null before."""
    finished_at: t.Union[datetime, None]
    """When it ended; null before."""
    progress: JobProgress
    source: t.Union[Source, None]
    """What the file is, once it has been looked at."""
    result_confidence: t.Union[float, None]
    """How sure the extractor is of the result as a whole; null where it does not say."""
    counts: t.Optional[EvidenceCounts] = None
    warnings: t.List[Warning]
    """Troubles that did not stop it."""
    error: t.Union[JobError, None]
    """What went wrong; null or absent where nothing did."""
    usage: JobUsage
    provenance: t.Union[Provenance, None]
    """Which models made the result and on what they ran, once the job has ended."""
    result: t.Any = None
    """The typed result; null where the job has none, absent where `data.result_url` names it."""


class Evidence(Model):
    """Where each value of the result comes from, and what was not found."""
    spans: t.List[EvidenceSpan]
    """One for every leaf of the result that has a value, in document order; those that the schema itself gives are of grade `default`."""
    unfilled: t.List[Unfilled]
    """Every other leaf of the schema, with the reason and what was held back."""
    counts: EvidenceCounts1


class JobSucceededEventData(Model):
    """What it tells of."""
    job: EventJob
    evidence: t.Optional[Evidence] = None
    evidence_url: t.Optional[str] = None
    """In place of `evidence` where the body would be over 1 MiB with it."""
    result_url: t.Optional[str] = None
    """In place of the result where the body would be over 1 MiB with it."""


class JobSucceededEvent(Model):
    """What is sent when a job has succeeded."""
    id: str
    """Form `evt_<id>`: the `webhook-id` header, the same on every attempt."""
    type: t.Union[t.Literal["job.succeeded"], str]
    """Which kind it is."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    data: JobSucceededEventData
    """What it tells of."""


class ReviewSummary(Model):
    """The review up to which the result and its evidence are told."""
    id: str
    """Form `rev_<id>`."""
    revision: int
    """1 for the first review of the job."""
    author: Reviewer
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    note: t.Union[str, None]
    """In the reviewer's words, up to 4,000 characters; null where nothing is said."""


class JobReviewedEventData(Model):
    """What it tells of."""
    job: EventJob
    review: ReviewSummary
    evidence: t.Optional[Evidence] = None
    evidence_url: t.Optional[str] = None
    """In place of `evidence` where the body would be over 1 MiB with it."""
    result_url: t.Optional[str] = None
    """In place of the result where the body would be over 1 MiB with it."""


class JobReviewedEvent(Model):
    """What is sent when a reviewed result is delivered."""
    id: str
    """Form `evt_<id>`: the `webhook-id` header, the same on every attempt."""
    type: t.Union[t.Literal["job.reviewed"], str]
    """Which kind it is."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    data: JobReviewedEventData
    """What it tells of."""


class JobFailedEventData(Model):
    """What it tells of."""
    job: EventJob


class JobFailedEvent(Model):
    """What is sent when a job has failed."""
    id: str
    """Form `evt_<id>`: the `webhook-id` header, the same on every attempt."""
    type: t.Union[t.Literal["job.failed"], str]
    """Which kind it is."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    data: JobFailedEventData
    """What it tells of."""


class JobCancelledEventData(Model):
    """What it tells of."""
    job: EventJob


class JobCancelledEvent(Model):
    """What is sent when a job was cancelled."""
    id: str
    """Form `evt_<id>`: the `webhook-id` header, the same on every attempt."""
    type: t.Union[t.Literal["job.cancelled"], str]
    """Which kind it is."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    data: JobCancelledEventData
    """What it tells of."""


class BatchRecordCounts(Model):
    """Items by the status of their job."""
    queued: int
    """Whose job waits to be begun."""
    running: int
    """Whose job is at work."""
    succeeded: int
    """Whose job has succeeded."""
    failed: int
    """Whose job has failed."""
    cancelled: int
    """Whose job was cancelled."""
    refused: int
    """Items that became no job."""


class BatchRecordProgress(Model):
    """How far it has come."""
    fraction: float
    """Share of the items that have ended."""


class BatchRecord(Model):
    """Jobs that came in one request, and how they stand."""
    id: str
    """Form `bat_<id>`."""
    status: t.Union[t.Literal["running", "completed"], str]
    """`completed` once every item has been judged and every job of it has ended."""
    size: int
    """How many items it has."""
    counts: BatchRecordCounts
    """Items by the status of their job."""
    progress: BatchRecordProgress
    """How far it has come."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    completed_at: t.Union[datetime, None]
    """When its last job ended; null until then."""


class BatchCompletedEventData(Model):
    """What it tells of."""
    batch: BatchRecord


class BatchCompletedEvent(Model):
    """What is sent when the last job of a batch has ended."""
    id: str
    """Form `evt_<id>`: the `webhook-id` header, the same on every attempt."""
    type: t.Union[t.Literal["batch.completed"], str]
    """Which kind it is."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    data: BatchCompletedEventData
    """What it tells of."""


class DestinationTestEvent(Model):
    """What a webhook destination is sent when somebody checks it."""
    id: str
    """Form `evt_<id>`: the `webhook-id` header, the same on every attempt."""
    type: t.Union[t.Literal["destination.test"], str]
    """Which kind it is."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    data: t.Dict[str, t.Any]
    """What it tells of."""


class SigningKeysKeysItem(Model):
    kty: t.Union[t.Literal["OKP"], str]
    """The kind of key."""
    crv: t.Union[t.Literal["Ed25519"], str]
    """The curve."""
    x: str
    """The public key in base64url."""
    kid: str
    """The key's thumbprint (RFC 7638)."""
    use: t.Union[t.Literal["sig"], str]
    """What the key is for."""
    alg: t.Union[t.Literal["EdDSA"], str]
    """The algorithm."""


class SigningKeys(Model):
    """A JWK Set (RFC 7517, RFC 8037)."""
    keys: t.List[SigningKeysKeysItem]
    """The key in use first, then those that were in use before."""


class ReadinessChecks(Model):
    """What it stands on."""
    database: t.Union[t.Literal["ok", "failing"], str]
    """Whether the database answers."""
    migrations: t.Union[t.Literal["ok", "failing"], str]
    """Whether its schema is this version's."""
    workers: t.Union[t.Literal["ok", "failing"], str]
    """Whether a worker was seen lately."""
    deployment: t.Union[t.Literal["ok", "failing"], str]
    """`failing` where a worker does not see what the API sees; `warnings` says what. Others go on working."""


class Readiness(Model):
    """Whether jobs can be taken and worked on."""
    status: t.Union[t.Literal["ready", "not_ready"], str]
    """Its state."""
    checks: ReadinessChecks
    """What it stands on."""
    draining: bool
    """The process is about to stop: send what is new elsewhere."""
    warnings: t.List[str]
    """What differs between the processes of the deployment, and the cure. What the machines of the workers lack is told in their logs, to the operator alone."""


class Health(Model):
    """That the process is alive."""
    status: t.Union[t.Literal["alive"], str]
    """Always `alive`."""


class SessionTenant(Model):
    """Whose data it sees."""
    id: str
    """Form `ten_<id>`."""
    name: str
    """The tenant's name."""


class SessionKey(Model):
    """The key that it was begun with and ends with."""
    id: str
    """Form `key_<id>`."""
    name: str
    """1 to 100 characters."""
    prefix: str
    """The visible part of the key."""


class Session(Model):
    """Whom a browser is signed in as, and until when."""
    tenant: SessionTenant
    """Whose data it sees."""
    key: SessionKey
    """The key that it was begun with and ends with."""
    csrf_token: str
    """Sent as `X-CSRF-Token` with whatever is no `GET`, `HEAD` or `OPTIONS`."""
    expires_at: datetime
    """12 hours after it began; sooner with its key."""


class EstimateBasedOn(Model):
    """Where each number is from: `given` in the request, the `file`'s header, an `earlier_job` over the same source, the tenant's `history`, the `deployment`'s, or `prices`; null where it is not known."""
    duration_seconds: t.Union[t.Union[t.Literal["given", "file", "earlier_job", "history", "deployment", "prices"], str], None]
    """Where `duration_seconds` is from."""
    work_seconds: t.Union[t.Union[t.Literal["given", "file", "earlier_job", "history", "deployment", "prices"], str], None]
    """Where `work_seconds` is from."""
    tokens: t.Union[t.Union[t.Literal["given", "file", "earlier_job", "history", "deployment", "prices"], str], None]
    """Where `tokens` is from."""
    cost: t.Union[t.Union[t.Literal["given", "file", "earlier_job", "history", "deployment", "prices"], str], None]
    """Where `cost` is from."""


class Estimate(Model):
    """What a job would take: null is not known, and `based_on` says where each number is from."""
    model_stack: str
    """What the job would run on, also where `auto` chooses."""
    duration_seconds: t.Union[float, None]
    """Length of the source in seconds."""
    work_seconds: t.Union[float, None]
    """From the first stage's start to the last one's end."""
    tokens: t.Union[int, None]
    """Tokens that models behind an address read and wrote."""
    cost: t.Union[float, None]
    """In the currency of the operator's prices, for models behind an address; 0 where none was used."""
    most_cost: t.Union[float, None]
    """What a job costs at most here; null where no model with a price has been seen."""
    reserves: float
    """What the job would hold back of the quota until it is over."""
    admissible: bool
    """Whether slots and quota would let it in now."""
    based_on: EstimateBasedOn
    """Where each number is from: `given` in the request, the `file`'s header, an `earlier_job` over the same source, the tenant's `history`, the `deployment`'s, or `prices`; null where it is not known."""
    unknown: t.List[str]
    """Names of the numbers that are null, each with the reason."""


class ModelStacksDataItem(Model):
    id: str
    """What `model_stack` of a job names."""
    ready: bool
    """Whether a job can run on it: all of its files are here."""
    is_default: bool
    """Whether a job that names none runs on it."""


class ModelStacks(Model):
    """The stacks of this deployment, the best first. `auto` takes the first that is ready."""
    data: t.List[ModelStacksDataItem]
    """The entries of this page, newest first."""


class LimitsRequests(Model):
    """Of requests."""
    json_body_bytes: int
    """Bytes of a JSON body."""
    json_nesting: int
    """How deep its brackets nest."""
    reads_per_minute: t.Union[int, None]
    """Null is no limit; so are the next two."""
    writes_per_minute: t.Union[int, None]
    """Requests that change something; null is no limit."""
    uploads_per_minute: t.Union[int, None]
    """Requests that upload; null is no limit."""
    open_streams: int
    """Event streams, streams of the tool server and waits open at once, in each API process."""


class LimitsJobs(Model):
    """`concurrent` jobs may be queued or running, `active` are; the others wait their turn."""
    concurrent: int
    """Jobs that may be queued or running."""
    active: int
    """Jobs that are queued or running now."""
    working_at_once: int
    """Jobs that are worked on at one time; the others wait."""
    batch_items: int
    """Jobs in one batch: 100, or what the tenant may write in a minute where that is less."""
    wait_seconds: int
    """The longest `wait`."""
    queue_seconds: int
    """How long a job may wait before it fails with `QUEUE_TIMEOUT`."""
    source_uri_characters: int
    """Characters of `source_uri`."""
    destinations: int
    """Destinations of one job."""
    metadata_pairs: int
    """Pairs in `metadata`."""
    metadata_key_characters: int
    """Characters of a name in `metadata`."""
    metadata_value_characters: int
    """Characters of a value in `metadata`."""
    hint_speakers: int
    """Voices in the hints."""
    hint_participants: int
    """Names in `hints.participants`."""
    hint_vocabulary: int
    """Words in `hints.vocabulary`."""
    hint_characters: int
    """Characters of one name or word in the hints."""
    retention_days: t.Union[int, None]
    """Days after its end in which a job can be read; then it is erased. Null: until it is deleted."""


class Quota(Model):
    """How a tenant stands with what it may spend."""
    limit: t.Union[float, None]
    """For a calendar month in UTC; null is no limit."""
    used: float
    """Spent in the present month, by jobs of any outcome, erased ones included."""
    reserved: float
    """Held back for jobs that are not over, beyond what they have spent."""
    resets_at: datetime
    """RFC 3339 in UTC with milliseconds."""


class LimitsStorage(Model):
    """Of what the tenant keeps."""
    limit: t.Union[int, None]
    """Bytes that uploads and jobs may keep; null is no limit."""
    used: int
    """Bytes of uploads, those that have begun with their announced length, and of jobs."""


class LimitsIdempotency(Model):
    """Of idempotency keys."""
    key_characters: int
    """Characters of an `Idempotency-Key`."""
    lifetime_seconds: int
    """How long a key is kept."""


class LimitsLists(Model):
    """Of pages."""
    default: int
    """Entries of a page where `limit` is left out."""
    maximum: int
    """The largest `limit`."""


class LimitsSchemas(Model):
    """Of JSON Schemas."""
    bytes: int
    """Bytes of a JSON Schema."""
    depth: int
    """How deep it nests."""
    properties: int
    """Properties in all of it."""
    enum_values: int
    """Values in all of its enumerations."""
    pattern_length: int
    """Characters of a pattern."""
    pattern_steps: int
    """Steps of all its patterns together."""
    unfolded: int
    """Nodes once its references are followed."""


class LimitsUploads(Model):
    """Of uploads."""
    bytes: int
    """Bytes of an upload."""
    lifetime_seconds: int
    """How long an upload is kept once it is whole."""
    unfinished_seconds: int
    """How long an unfinished upload waits for its next byte."""


class LimitsSources(Model):
    """Of what a job is made from."""
    bytes: int
    """Bytes of a source."""
    duration_seconds: int
    """Length of a source."""
    pixels: int
    """Pixels of a picture."""
    streams: int
    """Tracks of a file."""


class Limits(Model):
    """Every limit that a tenant meets, as it holds now."""
    requests: LimitsRequests
    """Of requests."""
    jobs: LimitsJobs
    """`concurrent` jobs may be queued or running, `active` are; the others wait their turn."""
    cost: Quota
    storage: LimitsStorage
    """Of what the tenant keeps."""
    idempotency: LimitsIdempotency
    """Of idempotency keys."""
    lists: LimitsLists
    """Of pages."""
    schemas: LimitsSchemas
    """Of JSON Schemas."""
    uploads: LimitsUploads
    """Of uploads."""
    sources: LimitsSources
    """Of what a job is made from."""


class UsageReportJobs(Model):
    """Queued and running ones stand in the present month, the others in the month they ended in."""
    queued: int
    """Waiting now."""
    running: int
    """At work now."""
    succeeded: int
    """Succeeded in the period."""
    failed: int
    """Failed in the period."""
    cancelled: int
    """Cancelled in the period."""


class UsageReport(Model):
    """What a tenant's jobs took in one calendar month."""
    period: str
    """The month, `YYYY-MM`."""
    from_: datetime = Field(alias="from")
    """RFC 3339 in UTC with milliseconds."""
    to: datetime
    """The first moment after the period."""
    jobs: UsageReportJobs
    """Queued and running ones stand in the present month, the others in the month they ended in."""
    audio_seconds: float
    """Seconds of sound that were listened to."""
    video_seconds: float
    """Seconds of picture that were looked at."""
    frames_sampled: int
    """How many frames were looked at."""
    frames_kept: int
    """How many of them carry new information and were read."""
    model_seconds: float
    """Seconds that models worked, by the clock of the machines they ran on: the same file takes more on a busy machine, so this tells where time went and is no unit to bill by. `audio_seconds` and `frames_kept` depend on the source alone."""
    tokens: int
    """Read and written by models behind an address, in the month it happened."""
    cost: float
    """In the currency of the operator's prices, for models behind an address; 0 where none was used."""
    quota: Quota


class LanguageModel(Model):
    """The language model of the tenant's own; null where jobs use the deployment's, if it has one."""
    host: str
    """Where it is, without the path."""
    model: str
    """The model's name there."""
    has_key: bool
    """Whether a key is sent."""


class RotatedWebhookSecret(Model):
    """The settings with the tenant's new webhook secret, which is shown here and never again."""
    default_destination_ids: t.List[str]
    """Where results of jobs go that name no `destination_ids`; a job that names none of them gives `[]`."""
    has_webhook_secret: bool
    """Whether there is a secret that signs events to every job's `webhook_url`, beside the job's own."""
    language_model: t.Union[LanguageModel, None]
    """The language model of the tenant's own; null where jobs use the deployment's, if it has one."""
    webhook_signing_secret: str
    """Standard Webhooks secret (`whsec_…`) of the tenant. Shown here and never again."""


class Settings(Model):
    """What a tenant sets for all of its jobs."""
    default_destination_ids: t.List[str]
    """Where results of jobs go that name no `destination_ids`; a job that names none of them gives `[]`."""
    has_webhook_secret: bool
    """Whether there is a secret that signs events to every job's `webhook_url`, beside the job's own."""
    language_model: t.Union[LanguageModel, None]
    """The language model of the tenant's own; null where jobs use the deployment's, if it has one."""


class DeletedExport(Model):
    """When an export was deleted."""
    id: str
    """Its id."""
    deleted_at: datetime
    """RFC 3339 in UTC with milliseconds."""


class ExportFilter(Model):
    """Which jobs an export holds."""
    status: t.List[EndedStatus]
    """How the jobs ended; only `succeeded` where nothing is said. A job that is at work is in no export."""
    finished_after: t.Optional[datetime] = None
    """Jobs that ended at this moment or later, such as `created_at` of the export before. RFC 3339, such as `2026-11-20T09:30:00Z`."""
    finished_before: t.Optional[datetime] = None
    """Jobs that ended before this moment, not at it; never later than the export's `created_at`. RFC 3339, such as `2026-11-20T09:30:00Z`."""
    created_after: t.Optional[datetime] = None
    """Jobs that were created at this moment or later. RFC 3339, such as `2026-11-20T09:30:00Z`."""
    created_before: t.Optional[datetime] = None
    """Jobs that were created before this moment, not at it. RFC 3339, such as `2026-11-20T09:30:00Z`."""
    schema_id: t.Optional[str] = None
    """Jobs of this schema, the tenant's own or a template."""
    metadata: t.Optional[t.Dict[str, str]] = None
    """Jobs that carry every one of these pairs."""


class Export(Model):
    """Finished jobs in bulk: a list of jobs, read as NDJSON."""
    id: str
    """Form `exp_<id>`."""
    status: t.Union[t.Literal["ready"], str]
    """Nothing has to be prepared: an export can be read as soon as it is made."""
    filter: ExportFilter
    include: t.List[Expansion]
    """What stands beside each job."""
    jobs: int
    """How many jobs it held when it was made; those that are erased since are left out."""
    content_url: str
    """Where its content is, below the address of the service."""
    created_at: datetime
    """Jobs that ended later are not in it."""
    expires_at: datetime
    """RFC 3339 in UTC with milliseconds."""


class ExportPage(Model):
    """One page of a list."""
    data: t.List[Export]
    """The entries of this page, newest first."""
    next_cursor: t.Union[str, None]
    """Send it as `cursor` for the next page; null on the last one."""


class RecoveredDeliveries(Model):
    """How many deliveries are sent again."""
    count: int
    """How many deliveries are sent again."""


class BackfilledDestination(Model):
    """How many deliveries a backfill has made."""
    count: int
    """How many deliveries were queued."""
    more: bool
    """Whether there are more jobs than one request takes: send it again, and it goes on after these."""


class DeliveryAttempt(Model):
    """One try to deliver."""
    number: int
    """1 for the first attempt."""
    at: datetime
    """RFC 3339 in UTC with milliseconds."""
    status_code: t.Union[int, None]
    """What the receiver answered; null where no answer came."""
    error: t.Union[str, None]
    """What was wrong; null where it was accepted."""
    duration_ms: int
    """How long the attempt took, in milliseconds."""


class Delivery(Model):
    """One event on its way to one receiver, with every attempt that was made."""
    id: str
    """Form `dlv_<id>`."""
    job_id: str
    """The job's id, `job_…`."""
    destination_id: t.Union[str, None]
    """The destination, `dst_…`; null for the `webhook_url` of a job."""
    destination_type: DestinationType
    event_id: str
    """The `webhook-id` header; the same on every attempt."""
    event_type: str
    """What it tells, such as `job.succeeded`."""
    revision: t.Union[int, None]
    """Of `job.reviewed`: the review up to which the result is told; null of every other."""
    status: DeliveryStatus
    waits_for: t.Union[DeliveryWait, None]
    """What keeps it from being attempted now; null where nothing does."""
    attempts: t.List[DeliveryAttempt]
    """Every attempt so far, the first one first."""
    next_attempt_at: t.Union[datetime, None]
    """When the next attempt is due; null where there is none, or where it depends on the destination."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    finished_at: t.Union[datetime, None]
    """When it ended; null before."""


class DeliveryPage(Model):
    """One page of a list."""
    data: t.List[Delivery]
    """The entries of this page, newest first."""
    next_cursor: t.Union[str, None]
    """Send it as `cursor` for the next page; null on the last one."""


class Destination(Model):
    """Where results are pushed; never shown with its config or a secret."""
    id: str
    """Form `dst_<id>`."""
    name: str
    """1 to 80 characters."""
    type: DestinationType
    status: DestinationStatus
    events: t.List[EventKind]
    """What it is told of, of the jobs that name it."""
    last_health_check_at: t.Union[datetime, None]
    """When it was last looked at; null where it never was."""
    last_health_status: t.Union[str, None]
    """`ok`, or what was wrong, such as `auth_failed`, `not_found`, `unreachable`, `http_503`."""
    last_health_message: t.Union[str, None]
    """Why the destination is broken, or what its owner should know of it, in a sentence."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""


class CreatedDestination(Model):
    """A destination with its signing secret, which is shown here and never again."""
    id: str
    """Form `dst_<id>`."""
    name: str
    """1 to 80 characters."""
    type: DestinationType
    status: DestinationStatus
    events: t.List[EventKind]
    """What it is told of, of the jobs that name it."""
    last_health_check_at: t.Union[datetime, None]
    """When it was last looked at; null where it never was."""
    last_health_status: t.Union[str, None]
    """`ok`, or what was wrong, such as `auth_failed`, `not_found`, `unreachable`, `http_503`."""
    last_health_message: t.Union[str, None]
    """Why the destination is broken, or what its owner should know of it, in a sentence."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    signing_secret: t.Optional[str] = None
    """Standard Webhooks secret (`whsec_…`) of a webhook destination. Shown here and never again."""


class DeletedDestination(Model):
    """When a destination was deleted."""
    id: str
    """Form `dst_<id>`."""
    deleted_at: datetime
    """RFC 3339 in UTC with milliseconds."""


class DestinationPage(Model):
    """One page of a list."""
    data: t.List[Destination]
    """The entries of this page, newest first."""
    next_cursor: t.Union[str, None]
    """Send it as `cursor` for the next page; null on the last one."""


class RevokedApiKey(Model):
    """When a key was revoked."""
    id: str
    """Form `key_<id>`."""
    revoked_at: datetime
    """RFC 3339 in UTC with milliseconds."""


class ApiKey(Model):
    """A key of the tenant, without its secret."""
    id: str
    """Form `key_<id>`."""
    name: str
    """1 to 100 characters."""
    prefix: str
    """The visible part of the key."""
    scopes: t.List[str]
    """What the key may do: kept as it was given, and not enforced."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    last_used_at: t.Union[datetime, None]
    """To the minute."""
    revoked_at: t.Union[datetime, None]
    """When it was revoked; null while it is good."""


class ApiKeyPage(Model):
    """One page of a list."""
    data: t.List[ApiKey]
    """The entries of this page, newest first."""
    next_cursor: t.Union[str, None]
    """Send it as `cursor` for the next page; null on the last one."""


class CreatedApiKey(Model):
    """A new key with its secret, which is shown here and never again."""
    id: str
    """Form `key_<id>`."""
    name: str
    """1 to 100 characters."""
    prefix: str
    """The visible part of the key."""
    secret: str
    """The key. Shown here and never again."""
    scopes: t.List[str]
    """What the key may do: kept as it was given, and not enforced."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""


class DeletedSchema(Model):
    """When a schema was deleted."""
    id: str
    """Its id."""
    deleted_at: datetime
    """RFC 3339 in UTC with milliseconds."""


class SchemaTest(Model):
    """What a schema finds in what was sent to try it on."""
    job_id: str
    """The job that did it: erased already where `status` is terminal, else to be read as any other."""
    status: JobStatus
    result: t.Any
    """What a job would give for it."""
    result_confidence: t.Union[float, None]
    """How sure the extractor is of it as a whole; null where it does not say."""
    evidence: t.Union[JobEvidence, None]
    """With `unfilled`: what was not found, and why."""
    warnings: t.List[Warning]
    """Troubles that did not stop it."""
    error: t.Union[JobError, None]
    """What went wrong; null or absent where nothing did."""


class SchemaVersion(Model):
    """One version of a schema, which never changes."""
    version: int
    """1 for the first."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""


class SchemaVersions(Model):
    """The versions of a schema, the newest first."""
    data: t.List[SchemaVersion]
    """The entries of this page, newest first."""


class RegisteredSchemaWarningsItem(Model):
    path: str
    """JSON pointer to what is meant."""
    message: str
    """What is wrong and what to do, in words for people."""


class RegisteredSchema(Model):
    """A schema as it was registered, and what will make its results worse than they could be."""
    id: SchemaId
    name: str
    """Its name."""
    description: t.Union[str, None]
    """What it is for; null where nobody said."""
    is_template: bool
    """Whether it is shipped with the service."""
    version: int
    """Counts up from 1. A version never changes; a job that names none takes the newest and tells which."""
    json_schema: t.Any
    """The JSON Schema as it was registered."""
    created_at: t.Union[datetime, None]
    """Of this version; null for a template."""
    warnings: t.List[RegisteredSchemaWarningsItem]
    """At most ten; `path` is a JSON pointer into a result, `*` for any entry of an array."""


class ExtractionSchema(Model):
    """A saved schema or a shipped template, with its JSON Schema as it was registered."""
    id: SchemaId
    name: str
    """Its name."""
    description: t.Union[str, None]
    """What it is for; null where nobody said."""
    is_template: bool
    """Whether it is shipped with the service."""
    version: int
    """Counts up from 1. A version never changes; a job that names none takes the newest and tells which."""
    json_schema: t.Any
    """The JSON Schema as it was registered."""
    created_at: t.Union[datetime, None]
    """Of this version; null for a template."""


class SchemaSummary(Model):
    """What a list shows of a schema."""
    id: SchemaId
    name: str
    """Its name."""
    description: t.Union[str, None]
    """What it is for; null where nobody said."""
    is_template: bool
    """Whether it is shipped with the service."""


class SchemaPage(Model):
    """One page of a list."""
    data: t.List[SchemaSummary]
    """The entries of this page, newest first."""
    next_cursor: t.Union[str, None]
    """Send it as `cursor` for the next page; null on the last one."""


class InferredSchemaWarningsItem(Model):
    path: str
    """JSON pointer to what is meant."""
    message: str
    """What is wrong and what to do, in words for people."""


class InferredSchema(Model):
    """A schema made from examples, which is not saved."""
    json_schema: t.Any
    """The schema; it can be registered as it is."""
    warnings: t.List[InferredSchemaWarningsItem]
    """At most ten; `path` is a JSON pointer into a result, `*` for any entry of an array."""


class DeletedUpload(Model):
    """When an upload was deleted."""
    id: str
    """Its id."""
    deleted_at: datetime
    """RFC 3339 in UTC with milliseconds."""


class Upload(Model):
    """A file that was sent, or is being sent."""
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
    """One page of a list."""
    data: t.List[Upload]
    """The entries of this page, newest first."""
    next_cursor: t.Union[str, None]
    """Send it as `cursor` for the next page; null on the last one."""


class JobSpeaker(Model):
    """One voice of a job, as it was heard and as it is named."""
    id: str
    """The voice, as the transcript has it."""
    label: str
    """How it is called now."""
    heard_as: str
    """How the job called it."""
    same_as: t.Union[str, None]
    """The voice that it is told as; null: it is its own."""
    speaking_seconds: float
    """How long this voice alone is heard."""


class JobSpeakers(Model):
    """Who speaks in a job, as heard and as people named them."""
    job_id: str
    """Form `job_<id>`."""
    speakers: t.List[JobSpeaker]
    """In the order in which they begin to speak."""
    named_by: t.Union[Reviewer, None]
    """Who named them last; null: nobody has."""
    updated_at: t.Union[datetime, None]
    """When they were named last; null: never."""


class GoldRecordSegmentsItem(Model):
    id: str
    """What `evidence` names it by."""
    speaker: t.Union[str, None]
    """Who says it; null where that is not known."""
    t0: float
    """When it begins, in seconds."""
    t1: float
    """When it ends, in seconds."""
    text: str
    """Its words."""


class GoldRecordOcrItem(Model):
    id: str
    """What `evidence` names it by."""
    speaker: t.Union[str, None]
    """Who says it; null where that is not known."""
    t0: float
    """When it begins, in seconds."""
    t1: float
    """When it ends, in seconds."""
    text: str
    """Its words."""
    frame: str
    """The kept frame that it was read on."""


class GoldRecordTrapsItem(Model):
    pointer: str
    """The leaf that it is wrong for."""
    value: t.Any
    """The wrong value."""
    why: str
    """Why it is wrong."""
    evidence: t.List[str]
    """The lines that say it."""


class GoldRecord(Model):
    """A reviewed job as a line of footage by which an extractor can be scored."""
    id: str
    """The job's id."""
    kind: t.Union[t.Literal["video", "audio"], str]
    """Whether there is a picture."""
    lang: str
    """The language that is spoken."""
    schema_: t.Any = Field(alias="schema")
    """The job's schema, as it was sent."""
    segments: t.List[GoldRecordSegmentsItem]
    """What was said."""
    ocr: t.List[GoldRecordOcrItem]
    """What was on screen, line by line of each kept frame."""
    gold: t.Any
    """The right result; what nobody states is not in it."""
    evidence: t.Dict[str, t.List[str]]
    """By leaf of `gold`: the lines that say it."""
    kinds: t.Dict[str, t.Union[t.Literal["stated", "normalised", "classified", "computed", "generated"], str]]
    """By leaf of `gold`: how its value comes about."""
    facts: t.Dict[str, t.List[str]]
    """By generated leaf: what any right text holds. Always empty: a review does not say, and the text itself is compared."""
    traps: t.List[GoldRecordTrapsItem]
    """Wrong values that a person replaced or rejected."""
    not_stated: t.List[str]
    """Leaves that are rightly empty."""


class ReviewCitation(Model):
    """A cited place as it was found in the source."""
    source_ref: str
    """The segment or frame."""
    t_start: float
    """When it begins, in seconds."""
    t_end: float
    """When it ends, in seconds."""
    quote: str
    """Its words, character for character."""
    origin_channel: t.Union[t.Literal["asr", "captions", "ocr", "vision", "metadata"], str]
    """What it was read from."""
    box: t.Optional[t.List[float]] = None
    """`[x, y, width, height]` in fractions of the frame."""


class Decision(Model):
    """One decision, with what stood at its place and what stands there since."""
    pointer: str
    """JSON pointer (RFC 6901) into the result as `base_revision` left it."""
    action: ReviewAction
    value: t.Any = None
    """What stands there since; absent where nothing does."""
    candidate: t.Optional[int] = None
    """Of `choose`: which one, from 0."""
    before: t.Any = None
    """What stood there; absent where nothing did."""
    citations: t.List[ReviewCitation]
    """Where the source says what stands there since."""


class Review(Model):
    """What a person decided on the result of a job; it never changes."""
    id: str
    """Form `rev_<id>`."""
    job_id: str
    """The job that was reviewed."""
    revision: int
    """1 for the first review of the job."""
    base_revision: int
    """The revision before it."""
    author: Reviewer
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    note: t.Union[str, None]
    """In the reviewer's words, up to 4,000 characters; null where nothing is said."""
    decisions: t.List[Decision]
    """In the order in which they were sent."""


class ReviewPage(Model):
    """One page of a list."""
    data: t.List[Review]
    """The entries of this page, newest first."""
    next_cursor: t.Union[str, None]
    """Send it as `cursor` for the next page; null on the last one."""


class MediaLink(Model):
    """An address that opens a job's media by itself."""
    url: str
    """Opens the media for whoever has it, without a key, with `Range`."""
    expires_at: datetime
    """RFC 3339 in UTC with milliseconds."""


class PreviewSource(Model):
    """The source, which is kept still."""
    url: str
    """Where the source itself is played."""
    content_type: str
    """What the source is, by the container that was found in it."""
    kept_until: t.Union[datetime, None]
    """When it goes by itself: an upload after its 7 days. Null where it is kept as long as the job."""


class Preview(Model):
    """How the preview of a job's source stands."""
    status: t.Union[t.Literal["absent", "queued", "running", "ready", "failed"], str]
    """`absent`: nobody has asked for it. `queued`, `running`: it is being made. `ready`: `url` plays it. `failed`: `message` says why; ask for it again to try again."""
    fraction: float
    """How much of it has been made, 0 to 1."""
    url: t.Union[str, None]
    """Where it is played, once it is ready."""
    message: t.Union[str, None]
    """Why it could not be made."""
    source: PreviewSource
    """The source, which is kept still."""


class ManifestSignaturesItem(Model):
    keyid: str
    """The `kid` of the key at `/.well-known/footnote-signing-keys`."""
    sig: str
    """Base64 of the Ed25519 signature over the pre-authentication encoding."""


class Manifest(Model):
    """What a job was made from and the hash of everything that it made, as a signed in-toto statement in a DSSE envelope."""
    payloadType: t.Union[t.Literal["application/vnd.in-toto+json"], str]
    """What the payload is."""
    payload: str
    """Base64 of an in-toto Statement v1: the hash of everything that the job made, and what it was made from."""
    signatures: t.List[ManifestSignaturesItem]
    """By which keys it is signed; `GET /.well-known/footnote-signing-keys` has them."""


class JobResult(Model):
    """The typed result by itself."""
    job_id: str
    """Form `job_<id>`."""
    revision: int
    """0: the job's own result. Else that of the review which left it so."""
    result: t.Any
    """The typed result."""


class JobGraph(Model):
    """The knowledge graph. Ids follow from the content: the same inputs give the same graph."""
    job_id: str
    """Form `job_<id>`."""
    view: t.Union[t.Literal["compact", "canonical"], str]
    """`compact` merges mentions of one thing and drops what nothing refers to; `canonical` has everything."""
    nodes: t.List[GraphNode]
    """Entities, claims and speakers."""
    edges: t.List[GraphEdge]
    """How nodes belong together."""


class JobFrames(Model):
    """The frame inventory."""
    job_id: str
    """Form `job_<id>`."""
    visual_branch: t.Union[t.Literal["present", "absent"], str]
    """`absent` where the source has no picture; then there are no frames, which is no error."""
    sampled: int
    """How many frames were looked at."""
    kept: int
    """How many carry new information."""
    frames: t.List[Frame]
    """In time order."""


class BatchDetailsCounts(Model):
    """Items by the status of their job."""
    queued: int
    """Whose job waits to be begun."""
    running: int
    """Whose job is at work."""
    succeeded: int
    """Whose job has succeeded."""
    failed: int
    """Whose job has failed."""
    cancelled: int
    """Whose job was cancelled."""
    refused: int
    """Items that became no job."""


class BatchDetailsProgress(Model):
    """How far it has come."""
    fraction: float
    """Share of the items that have ended."""


class BatchDetailsItemsItemError(Model):
    code: ErrorCode
    message: str
    """What is wrong and what to do, in words for people."""
    details: t.Optional[t.List[ErrorDetail]] = None
    """Each thing that is wrong, where there is more to say than the message."""
    request_id: str
    """The id of the request, as in `X-Request-Id`: quote it when you ask."""


class BatchDetailsItemsItem(Model):
    item: int
    """Its place in the request, from 0."""
    job_id: t.Union[str, None]
    """The job that it became."""
    error: t.Union[BatchDetailsItemsItemError, None]
    """Why it became no job."""


class BatchDetails(Model):
    """A batch and what became of each of its items."""
    id: str
    """Form `bat_<id>`."""
    status: t.Union[t.Literal["running", "completed"], str]
    """`completed` once every item has been judged and every job of it has ended."""
    size: int
    """How many items it has."""
    counts: BatchDetailsCounts
    """Items by the status of their job."""
    progress: BatchDetailsProgress
    """How far it has come."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    completed_at: t.Union[datetime, None]
    """When its last job ended; null until then."""
    items: t.List[BatchDetailsItemsItem]
    """What became of each item that has been judged."""


class BatchPage(Model):
    """One page of a list."""
    data: t.List[BatchRecord]
    """The entries of this page, newest first."""
    next_cursor: t.Union[str, None]
    """Send it as `cursor` for the next page; null on the last one."""


class JobEvent(Model):
    """One change of a job."""
    id: int
    """Counts up within a job: `Last-Event-ID` resumes after it."""
    type: t.Union[t.Literal["status", "stage", "progress"], str]
    """Which of the job's state, its stages or its progress has changed; the whole state is told each time."""
    at: datetime
    """RFC 3339 in UTC with milliseconds."""
    status: JobStatus
    progress: JobProgress


class DeletedJob(Model):
    """When a job was erased."""
    id: str
    """Its id."""
    deleted_at: datetime
    """RFC 3339 in UTC with milliseconds."""


class CreatedJob(Model):
    """A job with the secret of its webhook, which is shown here and in replays only."""
    id: str
    """Form `job_<id>`."""
    status: JobStatus
    title: t.Optional[str] = None
    """What the footage is called: by its caller, else by the upload's file name or the last part of the address."""
    source_uri: str
    """As it was given."""
    source_name: t.Optional[str] = None
    """What the file is called, whatever the title is: the upload's file name or the last part of the address; absent where neither says."""
    schema_id: t.Union[str, None]
    """A saved schema or a template, `sch_…`; null where the job has none."""
    schema_version: t.Optional[int] = None
    """The version of that schema which the job runs with; absent where no schema is named by its id."""
    model_stack: str
    """The model stack that the job runs on, also where `auto` chose it."""
    retry_of: t.Optional[str] = None
    """The job that this one runs again; absent where it runs none again."""
    extracted_from: t.Optional[str] = None
    """The job whose transcript, frames and descriptions this one's result is extracted from; absent where the job has read its source itself."""
    destination_ids: t.List[str]
    """Destinations, `dst_…`, that get the result once the job has succeeded."""
    webhook_url: t.Union[str, None]
    """The address that is told of the job's end; null where there is none."""
    hints: GivenHints
    on_missing: t.Union[t.Literal["fill", "fail"], str]
    """What to do where a required value was not found: `fill` puts the smallest placeholder that the schema allows and warns with `PLACEHOLDERS`; `fail` ends the job with `EXTRACTION_FAILED`."""
    precision: t.Optional[Precision1] = None
    instructions: t.Optional[str] = None
    """What the caller said about how to read it."""
    metadata: t.Dict[str, str]
    """Up to 20 pairs of the caller's own."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    started_at: t.Union[datetime, None]
    """When its work began; null before."""
    finished_at: t.Union[datetime, None]
    """When it ended; null before."""
    progress: JobProgress
    source: t.Union[Source, None]
    """What the file is, once it has been looked at."""
    result_confidence: t.Union[float, None]
    """How sure the extractor is of the result as a whole; null where it does not say."""
    counts: t.Optional[EvidenceCounts] = None
    warnings: t.List[Warning]
    """Troubles that did not stop it."""
    error: t.Union[JobError, None]
    """What went wrong; null or absent where nothing did."""
    usage: JobUsage
    provenance: t.Union[Provenance, None]
    """Which models made the result and on what they ran, once the job has ended."""
    result: t.Any
    """The typed result, once the job has succeeded."""
    webhook_signing_secret: t.Optional[str] = None
    """Standard Webhooks secret (`whsec_…`) of this job's `webhook_url`."""


class Job(Model):
    """A job with its typed result."""
    id: str
    """Form `job_<id>`."""
    status: JobStatus
    title: t.Optional[str] = None
    """What the footage is called: by its caller, else by the upload's file name or the last part of the address."""
    source_uri: str
    """As it was given."""
    source_name: t.Optional[str] = None
    """What the file is called, whatever the title is: the upload's file name or the last part of the address; absent where neither says."""
    schema_id: t.Union[str, None]
    """A saved schema or a template, `sch_…`; null where the job has none."""
    schema_version: t.Optional[int] = None
    """The version of that schema which the job runs with; absent where no schema is named by its id."""
    model_stack: str
    """The model stack that the job runs on, also where `auto` chose it."""
    retry_of: t.Optional[str] = None
    """The job that this one runs again; absent where it runs none again."""
    extracted_from: t.Optional[str] = None
    """The job whose transcript, frames and descriptions this one's result is extracted from; absent where the job has read its source itself."""
    destination_ids: t.List[str]
    """Destinations, `dst_…`, that get the result once the job has succeeded."""
    webhook_url: t.Union[str, None]
    """The address that is told of the job's end; null where there is none."""
    hints: GivenHints
    on_missing: t.Union[t.Literal["fill", "fail"], str]
    """What to do where a required value was not found: `fill` puts the smallest placeholder that the schema allows and warns with `PLACEHOLDERS`; `fail` ends the job with `EXTRACTION_FAILED`."""
    precision: t.Optional[Precision1] = None
    instructions: t.Optional[str] = None
    """What the caller said about how to read it."""
    metadata: t.Dict[str, str]
    """Up to 20 pairs of the caller's own."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    started_at: t.Union[datetime, None]
    """When its work began; null before."""
    finished_at: t.Union[datetime, None]
    """When it ended; null before."""
    progress: JobProgress
    source: t.Union[Source, None]
    """What the file is, once it has been looked at."""
    result_confidence: t.Union[float, None]
    """How sure the extractor is of the result as a whole; null where it does not say."""
    counts: t.Optional[EvidenceCounts] = None
    warnings: t.List[Warning]
    """Troubles that did not stop it."""
    error: t.Union[JobError, None]
    """What went wrong; null or absent where nothing did."""
    usage: JobUsage
    provenance: t.Union[Provenance, None]
    """Which models made the result and on what they ran, once the job has ended."""
    result: t.Any
    """The typed result, once the job has succeeded."""


class JobSchema(Model):
    """The schema that a job ran with, also where its owner has deleted it since."""
    job_id: str
    """The job's id, `job_…`."""
    schema_id: t.Union[str, None]
    """A saved schema or a template, `sch_…`; null where the job has none."""
    json_schema: t.Any
    """As it was sent, member for member."""
    normalised: t.Any
    """The copy in 2020-12 that judges and fills."""


class ListedJob(Model):
    """A job of a list, with what was asked to stand beside it."""
    id: str
    """Form `job_<id>`."""
    status: JobStatus
    title: t.Optional[str] = None
    """What the footage is called: by its caller, else by the upload's file name or the last part of the address."""
    source_uri: str
    """As it was given."""
    source_name: t.Optional[str] = None
    """What the file is called, whatever the title is: the upload's file name or the last part of the address; absent where neither says."""
    schema_id: t.Union[str, None]
    """A saved schema or a template, `sch_…`; null where the job has none."""
    schema_version: t.Optional[int] = None
    """The version of that schema which the job runs with; absent where no schema is named by its id."""
    model_stack: str
    """The model stack that the job runs on, also where `auto` chose it."""
    retry_of: t.Optional[str] = None
    """The job that this one runs again; absent where it runs none again."""
    extracted_from: t.Optional[str] = None
    """The job whose transcript, frames and descriptions this one's result is extracted from; absent where the job has read its source itself."""
    destination_ids: t.List[str]
    """Destinations, `dst_…`, that get the result once the job has succeeded."""
    webhook_url: t.Union[str, None]
    """The address that is told of the job's end; null where there is none."""
    hints: GivenHints
    on_missing: t.Union[t.Literal["fill", "fail"], str]
    """What to do where a required value was not found: `fill` puts the smallest placeholder that the schema allows and warns with `PLACEHOLDERS`; `fail` ends the job with `EXTRACTION_FAILED`."""
    precision: t.Optional[Precision1] = None
    instructions: t.Optional[str] = None
    """What the caller said about how to read it."""
    metadata: t.Dict[str, str]
    """Up to 20 pairs of the caller's own."""
    created_at: datetime
    """RFC 3339 in UTC with milliseconds."""
    started_at: t.Union[datetime, None]
    """When its work began; null before."""
    finished_at: t.Union[datetime, None]
    """When it ended; null before."""
    progress: JobProgress
    source: t.Union[Source, None]
    """What the file is, once it has been looked at."""
    result_confidence: t.Union[float, None]
    """How sure the extractor is of the result as a whole; null where it does not say."""
    counts: t.Optional[EvidenceCounts] = None
    warnings: t.List[Warning]
    """Troubles that did not stop it."""
    error: t.Union[JobError, None]
    """What went wrong; null or absent where nothing did."""
    usage: JobUsage
    provenance: t.Union[Provenance, None]
    """Which models made the result and on what they ran, once the job has ended."""
    result: t.Any = None
    """The typed result."""
    evidence: t.Optional[JobEvidence] = None
    damaged: t.Optional[t.List[Expansion]] = None
    """What was asked for and is lost or not what was written: `ARTIFACT_DAMAGED` where it is read alone."""


class JobPage(Model):
    """One page of a list."""
    data: t.List[ListedJob]
    """The entries of this page, newest first."""
    next_cursor: t.Union[str, None]
    """Send it as `cursor` for the next page; null on the last one."""


class BatchOutcomeError(Model):
    """What went wrong; null or absent where nothing did."""
    code: ErrorCode
    message: str
    """What is wrong and what to do, in words for people."""
    details: t.Optional[t.List[ErrorDetail]] = None
    """Each thing that is wrong, where there is more to say than the message."""
    request_id: str
    """The id of the request, as in `X-Request-Id`: quote it when you ask."""


class BatchOutcome(Model):
    """What became of one item: `job` where `status` is 200 or 201, else `error`."""
    status: int
    """The HTTP status that the item would have had as a request of its own."""
    job: t.Optional[CreatedJob] = None
    error: t.Optional[BatchOutcomeError] = None
    """What went wrong; null or absent where nothing did."""
    retry_after_seconds: t.Optional[int] = None
    """When this item is worth sending again, where waiting helps: `Retry-After` of a request of its own."""


class Batch(Model):
    """What became of each item of a batch."""
    id: str
    """Form `bat_<id>`."""
    data: t.List[BatchOutcome]
    """One for each item, in their order."""


ErrorCode = t.Union[t.Literal["INVALID_REQUEST", "UNAUTHENTICATED", "CSRF_TOKEN_INVALID", "API_KEY_SELF_REVOKE", "API_KEY_NOT_FOUND", "DESTINATION_NOT_FOUND", "DESTINATION_TYPE_UNSUPPORTED", "DESTINATION_CONFIG_INVALID", "DELIVERY_NOT_FOUND", "UPLOAD_NOT_FOUND", "UPLOAD_OFFSET_CONFLICT", "UPLOAD_CHECKSUM_MISMATCH", "TUS_VERSION_UNSUPPORTED", "SCHEMA_NOT_FOUND", "BATCH_NOT_FOUND", "JOB_NOT_FOUND", "REVIEW_NOT_FOUND", "REVIEW_CONFLICT", "REVIEW_INCOMPLETE", "EXPORT_NOT_FOUND", "FRAME_NOT_FOUND", "MANIFEST_NOT_FOUND", "SCHEMA_INVALID", "SCHEMA_IN_USE", "MODEL_STACK_UNKNOWN", "JOB_ALREADY_TERMINAL", "JOB_NOT_SUCCEEDED", "JOB_NOT_TERMINAL", "SOURCE_NOT_KEPT", "SOURCE_ERASED", "RENDITION_NOT_READY", "RENDITION_FAILED", "RANGE_NOT_SATISFIABLE", "ARTIFACT_DAMAGED", "SOURCE_BLOCKED", "IDEMPOTENCY_KEY_CONFLICT", "IDEMPOTENCY_KEY_ORPHANED", "IDEMPOTENCY_KEY_INVALID", "CONCURRENT_JOBS_LIMIT", "COST_QUOTA_EXCEEDED", "STORAGE_QUOTA_EXCEEDED", "RATE_LIMITED", "PAYLOAD_TOO_LARGE", "REQUEST_TIMEOUT", "UNSUPPORTED_MEDIA_TYPE", "ROUTE_NOT_FOUND", "METHOD_NOT_ALLOWED", "SERVICE_UNAVAILABLE", "INTERNAL"], str]


StageName = t.Union[t.Literal["fetch", "probe", "audio", "captions", "frames", "detect_speech", "transcribe", "diarize", "describe", "extract"], str]


JobFailureCode = t.Union[t.Literal["SOURCE_BLOCKED", "SOURCE_UNREACHABLE", "SOURCE_TOO_LARGE", "SOURCE_NOT_MEDIA", "SOURCE_CORRUPT", "SOURCE_TOO_LONG", "MEDIA_LIMIT_EXCEEDED", "STORAGE_QUOTA_EXCEEDED", "EXTRACTION_FAILED", "ARTIFACT_DAMAGED", "MODEL_UNAVAILABLE", "STAGE_TIMEOUT", "QUEUE_TIMEOUT", "TASK_LOST", "INTERNAL"], str]


WarningCode = t.Union[t.Literal["PLACEHOLDERS", "SPEECH_UNCLEAR", "NOTHING_TO_READ", "LANGUAGE_UNSUPPORTED", "SOURCE_GIVES_ORDERS", "DURATION_MISMATCH", "AUDIO_UNREADABLE", "AUDIO_DAMAGED", "AUDIO_TRACK_CHOSEN", "AUDIO_CHANNEL_CHOSEN", "VIDEO_UNREADABLE", "VIDEO_DAMAGED", "CAPTIONS_UNREADABLE", "DESCRIPTION_REDUCED", "HWACCEL_UNUSED", "LLM_BUDGET_SPENT", "LLM_UNAVAILABLE", "LLM_REFUSED", "LLM_INCOMPLETE", "LLM_PROMPT_CUT", "LLM_CONTEXT_SMALL", "LLM_FOUND_NOTHING"], str]


StageStatus = t.Union[t.Literal["waiting", "running", "done", "skipped", "failed", "cancelled"], str]


Precision1 = t.Union[t.Literal["strict", "balanced"], str]


JobStatus = t.Union[t.Literal["queued", "running", "succeeded", "failed", "cancelled"], str]


UnfilledReason = t.Union[t.Literal["not_found", "not_stated", "below_threshold", "refused", "conflicting", "source_unclear", "unsupported", "budget"], str]


MediaFragment = str


Grade = t.Union[t.Literal["stated", "classified", "computed", "generated", "default"], str]


Expansion = t.Union[t.Literal["result", "evidence", "transcript", "frames", "vision", "graph", "gold"], str]


EndedStatus = t.Union[t.Literal["succeeded", "failed", "cancelled"], str]


DeliveryWait = t.Union[t.Literal["destination_paused", "destination_broken", "retry", "turn"], str]


DeliveryStatus = t.Union[t.Literal["pending", "delivering", "succeeded", "failed", "cancelled"], str]


DestinationType = t.Union[t.Literal["snowflake", "notion", "sheets", "slack", "webhook"], str]


EventKind = t.Union[t.Literal["job.succeeded", "job.failed", "job.cancelled", "batch.completed"], str]


DestinationStatus = t.Union[t.Literal["active", "paused", "broken"], str]


SchemaId = str


ReviewAction = t.Union[t.Literal["accept", "correct", "reject", "choose"], str]


ReadExportAnswer = str


EVENTS: t.Dict[str, t.Type[Model]] = {
    "job.succeeded": JobSucceededEvent,
    "job.reviewed": JobReviewedEvent,
    "job.failed": JobFailedEvent,
    "job.cancelled": JobCancelledEvent,
    "batch.completed": BatchCompletedEvent,
    "destination.test": DestinationTestEvent,
}
"""What webhooks are sent, by `type`."""

for _model in Model.__subclasses__():
    _model.model_rebuild()
