import { hints, limits } from "./OpenApiLimits.ts"

type Json = Record<string, any>

/** What each schema is, where its definition does not say so itself. */
const schemasByName: Readonly<Record<string, string>> = {
  ApiKey: "A key of the tenant, without its secret.",
  ApiKeyPage: "One page of a list.",
  BackfillDestination: "Which finished jobs to deliver to the destination.",
  BackfilledDestination: "How many deliveries a backfill has made.",
  Batch: "What became of each item of a batch.",
  BatchCompletedEvent: "What is sent when the last job of a batch has ended.",
  BatchItem: "One submission of a batch: the body of a creation, with the key that would stand in its header.",
  BatchOutcome: "What became of one item: `job` where `status` is 200 or 201, else `error`.",
  CreateApiKey: "A key to make.",
  CreatedApiKey: "A new key with its secret, which is shown here and never again.",
  CreateDelivery: "Where to deliver a job's result.",
  CreatedDestination: "A destination with its signing secret, which is shown here and never again.",
  CreateDestination: "A destination to register; `type` says what `config` holds.",
  CreatedJob: "A job with the secret of its webhook, which is shown here and in replays only.",
  CreateExport: "Which finished jobs to export, and what is to stand beside each.",
  CreateExtraction: "By which schema to read a finished job's artifacts again.",
  CreateJob: "What to extract from which source.",
  CreateSchema: "A JSON Schema to keep for jobs.",
  CreateSchemaVersion: "What the next version of a schema is.",
  DeletedDestination: "When a destination was deleted.",
  DeletedExport: "When an export was deleted.",
  DeletedJob: "When a job was erased.",
  DeletedSchema: "When a schema was deleted.",
  DeletedUpload: "When an upload was deleted.",
  Delivery: "One event on its way to one receiver, with every attempt that was made.",
  DeliveryAttempt: "One try to deliver.",
  DeliveryPage: "One page of a list.",
  DeliveryStatus:
    "`pending`: waits for its next attempt. `delivering`: is being attempted. `succeeded`: was taken. `failed`: was given up. `cancelled`: its destination or job is gone.",
  Destination: "Where results are pushed; never shown with its config or a secret.",
  DestinationPage: "One page of a list.",
  DestinationStatus:
    "`active`: is delivered to. `paused`: by its owner. `broken`: could not be reached for long or for good. Deliveries wait until it is active.",
  DestinationTestEvent: "What a webhook destination is sent when somebody checks it.",
  DestinationType: "What kind of receiver it is; its `config` depends on it.",
  ErrorDetail: "One thing that is wrong.",
  EndedStatus: "A state in which a job is over.",
  Estimate: "What a job would take: null is not known, and `based_on` says where each number is from.",
  EstimateRequest: "The job to estimate.",
  EventKind: "A kind of event.",
  Evidence: "Where each value of the result comes from, and what was not found.",
  ExpandedJob: "A job with what was asked to stand beside it.",
  Expansion: "What can stand beside a job.",
  Export: "Finished jobs in bulk: a list of jobs, read as NDJSON.",
  ExportFilter: "Which jobs an export holds.",
  ExportLine: "One line of an export's content.",
  ExportPage: "One page of a list.",
  ExtractionSchema: "A saved schema or a shipped template, with its JSON Schema as it was registered.",
  Frame: "One sampled frame. Only a kept one has an image; the others point at it by `cluster`.",
  FrameDescription: "What is on one kept frame.",
  GivenCitation: "A place of the source that a person points at.",
  GivenDecision: "What a person decides on one place of the result.",
  GivenHints: "The hints of a job, as they were given.",
  GivenSegment: "One stretch of speech to try a schema on.",
  GraphEdge: "How two nodes belong together, and where that shows.",
  GraphNode: "An entity, a claim as it was said or shown, a speaker, or an entry of the result.",
  Health: "That the process is alive.",
  InferredSchema: "A schema made from examples, which is not saved.",
  InferSchema: "Examples of results to make a schema from.",
  Job: "A job with its typed result.",
  JobCancelledEvent: "What is sent when a job was cancelled.",
  JobError: "Why a job failed.",
  JobEvent: "One change of a job.",
  JobEvidence: "Where each value of the result comes from, and what was not found.",
  JobFailedEvent: "What is sent when a job has failed.",
  JobFailureCode: "Why a job failed: a closed list.",
  JobFrames: "The frame inventory.",
  JobGraph: "The knowledge graph. Ids follow from the content: the same inputs give the same graph.",
  JobHints: "What the caller knows beforehand. A hint may sharpen a result, it never adds a fact.",
  JobPage: "One page of a list.",
  JobProgress: "How far a job is.",
  JobSchema: "The schema that a job ran with, also where its owner has deleted it since.",
  JobStatus:
    "`queued`: waits for its first stage. `running`: a stage is at work. `succeeded`, `failed`, `cancelled`: over; such a job never changes again.",
  JobReviewedEvent: "What is sent when a reviewed result is delivered.",
  JobSucceededEvent: "What is sent when a job has succeeded.",
  JobTranscript: "What was said, by whom and when.",
  JobUsage: "What the job took.",
  JobVision: "What is on screen.",
  Label: "What a picture shows: what it is as a whole, or one thing on it.",
  ListedJob: "A job of a list, with what was asked to stand beside it.",
  Limits: "Every limit that a tenant meets, as it holds now.",
  Manifest:
    "What a job was made from and the hash of everything that it made, as a signed in-toto statement in a DSSE envelope.",
  ModelRun: "One model as it ran for a job.",
  NamedSpeaker: "What a person says of one voice: how it is called, or which other voice it is.",
  NotionConfig: "A data source of Notion, written to by an integration.",
  Provenance: "What made a job's result.",
  Quota: "How a tenant stands with what it may spend.",
  Readiness: "Whether jobs can be taken and worked on.",
  RecoverDeliveries: "Which failed deliveries to send again.",
  RecoveredDeliveries: "How many deliveries are sent again.",
  RegisteredSchema: "A schema as it was registered, and what will make its results worse than they could be.",
  RevokedApiKey: "When a key was revoked.",
  RotateSigningSecret: "How long the old secret goes on to sign.",
  SchemaId: "`sch_…` of a saved schema, or `sch_template_…` of a shipped one. Opaque.",
  SchemaPage: "One page of a list.",
  SchemaTest: "What a schema finds in what was sent to try it on.",
  SchemaSummary: "What a list shows of a schema.",
  SchemaVersion: "One version of a schema, which never changes.",
  SchemaVersions: "The versions of a schema, the newest first.",
  Segment: "A stretch of one speaker.",
  SeenKind: "What is seen of one kind of thing over the whole source.",
  SheetsConfig: "A sheet of Google Sheets, written to by a service account.",
  SlackBotConfig: "A channel of Slack, written to by an app's bot.",
  SlackIncomingConfig: "An incoming webhook of Slack, which is told at least once instead of exactly once.",
  SnowflakeConfig: "A table of Snowflake, written to by a user's key pair.",
  SnowflakeTokenConfig: "A table of Snowflake, written to by a programmatic access token.",
  Source: "What the file is, as measured, not as its header claims.",
  Speaker: "One voice of the recording.",
  SpokenOverlap: "A stretch in which several speakers are heard at once.",
  SpeakerTurn: "A stretch in which one speaker is heard, words or none.",
  StageName: "A stage of the pipeline.",
  StageProgress: "How far one stage is.",
  StageStatus: "`skipped`: the stage had nothing to do, such as `transcribe` of a silent source.",
  TestSchema: "What to try a schema on.",
  TextLine: "One line of text on a frame.",
  UpdateDestination: "What to change; what is left out stays as it is.",
  Upload: "A file that was sent, or is being sent.",
  UploadPage: "One page of a list.",
  UsageReport: "What a tenant's jobs took in one calendar month.",
  WebhookConfig:
    "An address of the tenant's own that is told by Standard Webhooks, signed with the destination's secret.",
  Word: "One word and when it was said."
}

/** What a property of this name is, wherever it stands and says nothing itself. */
const propertiesByName: Readonly<Record<string, string>> = {
  audio_seconds: "Seconds of sound that were listened to.",
  code: "Which error it is.",
  confidence: "The recogniser's own, from 0 to 1; uncalibrated.",
  cost: "In the currency of the operator's prices, for models behind an address; 0 where none was used.",
  created_at: "When it was made.",
  data: "The entries of this page, newest first.",
  deleted_at: "When it was deleted; the same however often it is asked for.",
  destination_id: "The destination, `dst_…`; null for the `webhook_url` of a job.",
  destination_ids: "Destinations, `dst_…`, that get the result once the job has succeeded.",
  details: "Each thing that is wrong, where there is more to say than the message.",
  duration_seconds: "Length of the source in seconds.",
  error: "What went wrong; null or absent where nothing did.",
  finished_at: "When it ended; null before.",
  frame_id: "The frame's id, `frm_…`.",
  frames_kept: "How many of them carry new information and were read.",
  frames_sampled: "How many frames were looked at.",
  id: "Its id.",
  job_id: "The job's id, `job_…`.",
  last_health_check_at: "When it was last looked at; null where it never was.",
  media_fragment: "The moment, and the part of the picture, as the end of a link.",
  message: "What is wrong and what to do, in words for people.",
  modality: "Whether it is heard, seen, or both.",
  model: "The models that wrote it; null where none ran.",
  model_seconds:
    "Seconds that models worked, by the clock of the machines they ran on: the same file takes more on a busy machine, so this tells where time went and is no unit to bill by. `audio_seconds` and `frames_kept` depend on the source alone.",
  name: "Its name.",
  next_cursor: "Send it as `cursor` for the next page; null on the last one.",
  on_missing:
    "What to do where a required value was not found: `fill` puts the smallest placeholder that the schema allows and warns with `PLACEHOLDERS`; `fail` ends the job with `EXTRACTION_FAILED`.",
  precision:
    "Where the job stands between leaving out what is right and giving what is wrong: `strict`, the default, or `balanced`.",
  path: "JSON pointer to what is meant.",
  request_id: "The id of the request, as in `X-Request-Id`: quote it when you ask.",
  schema_id: "A saved schema or a template, `sch_…`; null where the job has none.",
  scopes: "What the key may do: kept as it was given, and not enforced.",
  source_ref: "The frame's reference in evidence, `frame#NNNNNN`.",
  source_refs: "Where it shows: segments (`seg#…`) and frames (`frame#…`).",
  started_at: "When its work began; null before.",
  status: "Its state.",
  t_end: "When it ends, in seconds from the start of the source.",
  t_start: "When it begins, in seconds from the start of the source.",
  timestamp: "When its picture begins, in seconds from the start of the source.",
  tokens: "Tokens that models behind an address read and wrote.",
  type: "Which kind it is.",
  visual_branch: "`absent` where the source has no picture; then there are no frames, which is no error.",
  warnings: "Troubles that did not stop it."
}

/** By schema and path; items of an array stand on the array's own path. */
const properties: Readonly<Record<string, string>> = {
  "ApiKey.revoked_at": "When it was revoked; null while it is good.",
  "Estimate.based_on":
    "Where each number is from: `given` in the request, the `file`'s header, an `earlier_job` over the same source, the tenant's `history`, the `deployment`'s, or `prices`; null where it is not known.",
  "Estimate.based_on.cost": "Where `cost` is from.",
  "Estimate.based_on.duration_seconds": "Where `duration_seconds` is from.",
  "Estimate.based_on.tokens": "Where `tokens` is from.",
  "Estimate.based_on.work_seconds": "Where `work_seconds` is from.",
  "Delivery.attempts": "Every attempt so far, the first one first.",
  "Delivery.next_attempt_at":
    "When it may be attempted next; null once it is over. Nothing is attempted while the destination is not `active`.",
  "Delivery.waits_for": "What keeps it from being attempted now; null where nothing does.",
  "DeliveryAttempt.duration_ms": "How long the attempt took, in milliseconds.",
  "DeliveryAttempt.error": "What was wrong; null where it was accepted.",
  "DeliveryAttempt.number": "1 for the first attempt.",
  "DeliveryAttempt.status_code": "What the receiver answered; null where no answer came.",
  "ErrorEnvelope.error": "The error.",
  "ExtractionSchema.description": "What it is for; null where nobody said.",
  "ExtractionSchema.is_template": "Whether it is shipped with the service.",
  "ExtractionSchema.json_schema": "The JSON Schema as it was registered.",
  "Evidence.spans":
    "One for every leaf of the result that has a value, in document order; those that the schema itself gives are of grade `default`.",
  "Evidence.unfilled": "Every other leaf of the schema, with the reason and what was held back.",
  "Evidence.counts": "How much of what the schema asks was found.",
  "Export.filter": "Which jobs it holds.",
  "Export.include": "What stands beside each job.",
  "ExportLine.job": "The job.",
  "JobSucceededEvent.data.evidence": "Where each value of the result comes from; absent where `evidence_url` names it.",
  "Frame.cluster": "Frames of one cluster show the same.",
  "Frame.height": "Height in pixels.",
  "Frame.kept": "Whether it carries new information: then it was read, and has an image.",
  "Frame.phash": "Perceptual hash, 64 bits in hexadecimal: alike pictures differ in few of them.",
  "Frame.width": "Width in pixels.",
  "FrameDescription.description":
    "What is on it, in a sentence that says only what was measured, after a model's own where there is one.",
  "FrameDescription.labels": "What it shows, in words.",
  "FrameDescription.model_sentence": "What a model says about the picture; absent where the stack has no such model.",
  "FrameDescription.text": "The text on it, in reading order.",
  "GraphEdge.relation": "What the source is to the target, such as `states` or `mentions`.",
  "GraphEdge.source": "The id of the node that it comes from.",
  "GraphEdge.target": "The id of the node that it leads to.",
  "GraphNode.kind":
    "`entity`, `claim` (a sentence as it was said or shown), `speaker` or `result` (an entry of a list in the result, or a value outside of lists).",
  "GraphNode.label": "The name, the sentence word for word, or the first text of the result's entry.",
  "GraphNode.mentions": "How often it comes up.",
  "GraphNode.type":
    "What kind of entity it is, or what the result calls its list or field; null where that is not known.",
  "GivenSegment.text": "What is said in it.",
  "Health.status": "Always `alive`.",
  "InferredSchema.json_schema": "The schema; it can be registered as it is.",
  "JobError.code": "Which failure.",
  "JobError.stage": "The stage that failed; null where none did.",
  "JobEvent.id": "Counts up within a job: `Last-Event-ID` resumes after it.",
  "JobEvent.type":
    "Which of the job's state, its stages or its progress has changed; the whole state is told each time.",
  "JobEvidence.spans":
    "One for every leaf of the result that has a value, in document order; those that the schema itself gives are of grade `default`.",
  "JobEvidence.unfilled": "Every other leaf of the schema, with the reason and what was held back.",
  "JobEvidence.counts": "How much of what the schema asks was found.",
  "JobFrames.frames": "In time order.",
  "JobFrames.kept": "How many carry new information.",
  "JobFrames.sampled": "How many frames were looked at.",
  "JobGraph.edges": "How nodes belong together.",
  "JobGraph.nodes": "Entities, claims and speakers.",
  "JobGraph.view":
    "`compact` merges mentions of one thing and drops what nothing refers to; `canonical` has everything.",
  "JobProgress.fraction": "From 0 to 1.",
  "JobProgress.stage": "The earliest stage still at work; null before the first and after the last.",
  "JobProgress.stages": "All of them, in the order of the pipeline.",
  "Job.result_confidence": "How sure the extractor is of the result as a whole; null where it does not say.",
  "Job.source": "What the file is, once it has been looked at.",
  "Job.source_uri": "As it was given.",
  "Job.webhook_url": "The address that is told of the job's end; null where there is none.",
  "JobTranscript.audio_branch":
    "`absent` where there is no sound or nothing is heard in it; then there are no segments, which is no error.",
  "JobTranscript.language": "The language that is spoken, as a tag such as `en`; null where that is not known.",
  "JobTranscript.segments": "What was said, in time order.",
  "JobTranscript.speakers": "Who is heard.",
  "JobTranscript.text": "All segments, one after the other.",
  "JobTranscript.turns": "Who is heard when, in time order and without overlap.",
  "JobTranscript.overlaps": "Where several speak at once and words may be lost. Absent where the models cannot tell.",
  "JobVision.kinds": "What is surely seen of each kind of thing over the whole source; absent where nothing is.",
  "JobVision.frames": "The kept frames, in time order.",
  "Label.box":
    "`[x, y, width, height]` in fractions of the frame, of one thing on it; absent where the whole frame is meant.",
  "Label.confidence": "The model's own, from 0 to 1; uncalibrated.",
  "Manifest.payloadType": "What the payload is.",
  "Manifest.signatures": "By which keys it is signed; `GET /.well-known/footnote-signing-keys` has them.",
  "ModelRun.execution_provider": "Where it ran: on which processor here, or `remote` behind an address.",
  "NotionConfig.data_source_id": "The id of the data source that pages are made in, a UUID.",
  "NotionConfig.database_id": "The id of a database with one data source, in place of `data_source_id`.",
  "NotionConfig.token": "The integration's token.",
  "Provenance.models": "Every model that ran, once for each processor that it ran on.",
  "Readiness.checks": "What it stands on.",
  "Readiness.checks.database": "Whether the database answers.",
  "Readiness.checks.migrations": "Whether its schema is this version's.",
  "Readiness.checks.workers": "Whether a worker was seen lately.",
  "SchemaTest.result": "What a job would give for it.",
  "SchemaTest.result_confidence": "How sure the extractor is of it as a whole; null where it does not say.",
  "SchemaVersion.version": "1 for the first.",
  "Segment.confidence":
    "How likely a word of it is right, where that was measured for the recogniser; otherwise the mean of its words' own.",
  "Segment.id": "Its reference in evidence, `seg#NNNNNN`.",
  "Segment.origin": "`asr`: recognised from sound. `captions`: read from captions in the file.",
  "Segment.speaker": "The id of who speaks; null where that is not known.",
  "Segment.text": "Its words, joined by single spaces.",
  "Segment.words": "Word by word.",
  "SheetsConfig.client_email": "The service account's address; share the spreadsheet with it.",
  "SheetsConfig.columns.column": "The column's title.",
  "SheetsConfig.spreadsheet_id": "The id in the spreadsheet's URL.",
  "SigningKeys.keys": "The key in use first, then those that were in use before.",
  "SigningKeys.keys.alg": "The algorithm.",
  "SigningKeys.keys.crv": "The curve.",
  "SigningKeys.keys.kty": "The kind of key.",
  "SigningKeys.keys.use": "What the key is for.",
  "SigningKeys.keys.x": "The public key in base64url.",
  "SlackBotConfig.bot_token": "The bot's token, `xoxb-…`.",
  "SlackBotConfig.channel": "The channel's id, such as `C0123456789`.",
  "SlackIncomingConfig.webhook_url": "The address that Slack gave for the channel.",
  "SnowflakeConfig.account": "The account's identifier, such as `myorg-account`.",
  "SnowflakeConfig.columns.column": "The column's name.",
  "SnowflakeConfig.database": "The database.",
  "SnowflakeConfig.role": "The role to work as; the user's own where it is left out.",
  "SnowflakeConfig.schema": "The schema in the database.",
  "SnowflakeConfig.table": "The table; it is made where it is not there.",
  "SnowflakeConfig.user": "The user's login name.",
  "SnowflakeConfig.warehouse": "The warehouse that statements run in.",
  "SnowflakeTokenConfig.account": "The account's identifier, such as `myorg-account`.",
  "SnowflakeTokenConfig.columns.column": "The column's name.",
  "SnowflakeTokenConfig.database": "The database.",
  "SnowflakeTokenConfig.role": "The role to work as; the user's own where it is left out.",
  "SnowflakeTokenConfig.schema": "The schema in the database.",
  "SnowflakeTokenConfig.table": "The table; it is made where it is not there.",
  "SnowflakeTokenConfig.warehouse": "The warehouse that statements run in.",
  "SnowflakeTokenConfig.token": "The token, for whose user Snowflake wants a network policy.",
  "Source.audio": "Codec of the sound; null without.",
  "Source.container": "Format of the file.",
  "Source.frame_rate": "Pictures in a second; null without a picture.",
  "Source.height": "Height in pixels; null without a picture.",
  "Source.sha256": "Of the file's bytes.",
  "Source.size_bytes": "The file's bytes.",
  "Source.video": "Codec of the picture; null without.",
  "Source.width": "Width in pixels; null without a picture.",
  "Speaker.id": "`S1`, `S2`, …",
  "Speaker.label": "A name that was given or heard, else a number.",
  "Speaker.speaking_seconds": "How long the voice is heard.",
  "SpeakerTurn.speaker": "The id of who is heard.",
  "SpokenOverlap.speakers": "The ids of who is heard.",
  "StageProgress.fraction": "From 0 to 1.",
  "TextLine.box": "`[x, y, width, height]` in fractions of the frame.",
  "TextLine.text": "As it was read.",
  "UsageReport.jobs.cancelled": "Cancelled in the period.",
  "UsageReport.jobs.failed": "Failed in the period.",
  "UsageReport.jobs.queued": "Waiting now.",
  "UsageReport.jobs.running": "At work now.",
  "UsageReport.jobs.succeeded": "Succeeded in the period.",
  "UsageReport.period": "The month, `YYYY-MM`.",
  "UsageReport.video_seconds": "Seconds of picture that were looked at.",
  "UpdateDestination.status": "`paused` holds deliveries back, `active` lets them go.",
  "WebhookConfig.url": "An absolute http or https URL.",
  "Word.text": "The word as it was recognised."
}

/** Read in place of a schema that has the same fields and says nothing else. */
const sameAs: Readonly<Record<string, string>> = {
  CreatedJob: "Job",
  EventJob: "Job",
  ExpandedJob: "Job",
  ListedJob: "Job",
  RegisteredSchema: "ExtractionSchema",
  SchemaSummary: "ExtractionSchema"
}

/** The same schema in another place is numbered by the library. */
const unnumbered = (name: string) => name.replace(/_\d+$/u, "")

const descriptionOf = (named: string, path: string): string | undefined => {
  const schema = unnumbered(named)
  if (schema === "JobHints" || schema === "GivenHints") return hints[path]
  if (schema === "Limits") return limits[path]
  return properties[`${schema}.${path}`] ?? properties[`${sameAs[schema] ?? schema}.${path}`]
    ?? propertiesByName[path.split(".").at(-1)!]
}

const describeMembers = (node: Json, schema: string, outer: string): void => {
  for (const [name, property] of Object.entries<Json>(node["properties"] ?? {})) {
    const path = outer === "" ? name : `${outer}.${name}`
    // What a reference leads to says what it is.
    if (property["$ref"] === undefined && property["description"] === undefined) {
      const told = descriptionOf(schema, path)
      if (told !== undefined) property["description"] = told
    }
    describeMembers(property, schema, path)
  }
  for (const below of [node["items"], ...(node["anyOf"] ?? [])]) {
    if (typeof below === "object" && below !== null) describeMembers(below, schema, outer)
  }
}

/** Says of every schema and every property what it is. What a definition in code says about itself stands as it is. */
export const describe = (schemas: Json): void => {
  for (const [name, schema] of Object.entries<Json>(schemas)) {
    schema["description"] ??= schemasByName[unnumbered(name)]
    if (schema["description"] === undefined) delete schema["description"]
    describeMembers(schema, name, "")
  }
}

/** Every entry, for the test that none is left of what is not there any more. */
export const describedPaths: ReadonlyArray<string> = [
  ...Object.keys(schemasByName),
  ...Object.keys(properties),
  ...Object.keys(hints).map((name) => `JobHints.${name}`),
  ...Object.keys(limits).map((path) => `Limits.${path}`)
]
