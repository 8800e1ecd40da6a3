// Generated from docs/openapi.json by tools/write-clients.ts; never edited.
import type { Pages } from "../pages.ts"
import { type CallOptions, freshKey, type KeyedOptions, type Transport } from "../transport.ts"
import type * as Api from "./types.ts"

/** What is asked for where the answer is text: its `format` has to be named. */
type Text<Query extends { format?: string }> = Omit<Query, "format"> & { format: Exclude<Query["format"], "json" | undefined> }

abstract class Operations {
  protected readonly transport: Transport
  constructor(transport: Transport) {
    this.transport = transport
  }
}

export class JobsOperations extends Operations {
  /**
   * Create a job.
   *
   * 201 with `Location` for a new job; 200 with `Idempotent-Replayed: true` where the key was used for this body before.
   */
  create(body: Api.CreateJobData["body"], options: { x_service_model_stack?: string } & KeyedOptions = {}): Promise<Api.CreateJobResponse> {
    return this.transport.json<Api.CreateJobResponse>({ method: "POST", path: "/v1/jobs", headers: { "x-service-model-stack": options.x_service_model_stack }, body, idempotency_key: options.idempotency_key ?? freshKey(), options })
  }

  /**
   * List jobs.
   *
   * Newest first by creation, or by `sort=finished_at` in the order in which jobs ended; without results; `expand=result,evidence` puts them beside each job, and ends the page where it would become larger than 8 MiB. All filters hold together. Moments are shown to the millisecond: `…_after` includes the one that it names and `…_before` does not, so a poller that sends the last `finished_at` it has seen as `finished_after` is told that one again. For such a poller is `sort=finished_at`: the pages go on to the last that has ended. A job can be seen some moments after its `finished_at`, so send one that is some seconds earlier and let go what is known.
   */
  list(options: NonNullable<Api.ListJobsData["query"]> & CallOptions = {}): Pages<Api.ListJobsResponse["data"][number]> {
    return this.transport.page<Api.ListJobsResponse["data"][number]>({ method: "GET", path: "/v1/jobs", query: { "limit": options.limit, "cursor": options.cursor, "status": options.status, "batch_id": options.batch_id, "schema_id": options.schema_id, "source_uri": options.source_uri, "created_after": options.created_after, "created_before": options.created_before, "finished_after": options.finished_after, "finished_before": options.finished_before, "sort": options.sort, "expand": options.expand?.join(","), "metadata": options.metadata }, options })
  }

  /**
   * Create up to 100 jobs.
   *
   * Each item is judged and answered alone, one after the other; a wrong one stops no other. Always 200: the status of each is in its outcome. Counts as one write for each item. `Location` is the batch. Sent again under the same `Idempotency-Key` it answers what became of each item, and goes on with the rest where it broke off.
   */
  createJobs(body: Api.CreateJobsData["body"], options: { x_service_model_stack?: string } & KeyedOptions = {}): Promise<Api.CreateJobsResponse> {
    return this.transport.json<Api.CreateJobsResponse>({ method: "POST", path: "/v1/jobs/batch", headers: { "x-service-model-stack": options.x_service_model_stack }, body, idempotency_key: options.idempotency_key ?? freshKey(), options })
  }

  /**
   * Read a job.
   *
   * With `wait` the answer is held until the job is terminal or the seconds are over, whichever comes first. The result is there once the job has succeeded.
   */
  get(id: string, options: NonNullable<Api.GetJobData["query"]> & CallOptions = {}): Promise<Api.GetJobResponse> {
    return this.transport.json<Api.GetJobResponse>({ method: "GET", path: `/v1/jobs/${encodeURIComponent(id)}`, query: { "wait": options.wait }, options })
  }

  /**
   * Erase a job.
   *
   * Erases a terminal job with its source copy and artifacts; deliveries that have not begun are cancelled. Idempotent. A job that is still at work has to be cancelled first: 400 `INVALID_REQUEST` with its `status`.
   */
  delete(id: string, options: CallOptions = {}): Promise<Api.DeleteJobResponse> {
    return this.transport.json<Api.DeleteJobResponse>({ method: "DELETE", path: `/v1/jobs/${encodeURIComponent(id)}`, options })
  }

  /**
   * Read the schema of a job.
   *
   * As it was sent, member for member, and the copy in 2020-12 that judged and filled the result.
   */
  getSchema(id: string, options: CallOptions = {}): Promise<Api.GetJobSchemaResponse> {
    return this.transport.json<Api.GetJobSchemaResponse>({ method: "GET", path: `/v1/jobs/${encodeURIComponent(id)}/schema`, options })
  }

  /**
   * Cancel a job.
   *
   * Cancelled at once; work still running stops within 2 seconds. Idempotent by itself: a job that is cancelled already is answered as it is.
   */
  cancel(id: string, options: KeyedOptions = {}): Promise<Api.CancelJobResponse> {
    return this.transport.json<Api.CancelJobResponse>({ method: "POST", path: `/v1/jobs/${encodeURIComponent(id)}/cancel`, idempotency_key: options.idempotency_key ?? freshKey(), options })
  }

  /**
   * Run a job that is over again.
   *
   * A terminal job never changes, so this makes a new one with the same schema, hints, stack, metadata and webhook, whose `retry_of` names this one; limits and quota apply to it. A job that succeeded is computed from the bytes that it was made of, for as long as they are kept, and its destinations are not sent the result a second time; any other fetches its `source_uri` again. 201 with `Location`; 200 with `Idempotent-Replayed: true` where the key was used for this before.
   */
  retry(id: string, options: KeyedOptions = {}): Promise<Api.RetryJobResponse> {
    return this.transport.json<Api.RetryJobResponse>({ method: "POST", path: `/v1/jobs/${encodeURIComponent(id)}/retry`, idempotency_key: options.idempotency_key ?? freshKey(), options })
  }

  /**
   * Extract from a finished job by another schema.
   *
   * Makes a new job, whose `extracted_from` names this one, that fills another schema from what was heard and seen already: nothing is fetched, decoded or recognised again. Its hints and stack are those of this job. The words that a schema names are listened for when a source is transcribed; those of the new schema were not, so where that mattered a job made of the source may hear more. The new job has artifacts and a manifest of its own, and stays whole when this one is erased. Limits and quota apply to it. 201 with `Location`; 200 with `Idempotent-Replayed: true` where the key was used for this before.
   */
  extractAgain(id: string, body: Api.ExtractAgainData["body"], options: KeyedOptions = {}): Promise<Api.ExtractAgainResponse> {
    return this.transport.json<Api.ExtractAgainResponse>({ method: "POST", path: `/v1/jobs/${encodeURIComponent(id)}/extractions`, body, idempotency_key: options.idempotency_key ?? freshKey(), options })
  }

  /**
   * List a job's deliveries.
   *
   * Newest first: to `webhook_url` and to destinations.
   */
  listDeliveries(id: string, options: NonNullable<Api.ListJobDeliveriesData["query"]> & CallOptions = {}): Pages<Api.ListJobDeliveriesResponse["data"][number]> {
    return this.transport.page<Api.ListJobDeliveriesResponse["data"][number]>({ method: "GET", path: `/v1/jobs/${encodeURIComponent(id)}/deliveries`, query: { "limit": options.limit, "cursor": options.cursor }, options })
  }

  /**
   * Deliver a job's result.
   *
   * To a destination of any type; with `reviewed` as its last review left it. Answers at once with `Location`; the delivery goes on by itself.
   */
  createDelivery(id: string, body: Api.CreateDeliveryData["body"], options: KeyedOptions = {}): Promise<Api.CreateDeliveryResponse> {
    return this.transport.json<Api.CreateDeliveryResponse>({ method: "POST", path: `/v1/jobs/${encodeURIComponent(id)}/deliveries`, body, idempotency_key: options.idempotency_key ?? freshKey(), options })
  }

  /**
   * Read the transcript.
   *
   * Words with their times and speakers, as JSON or as text: by `format`, else by what `Accept` likes best. A job without sound has `audio_branch: absent` and no segments.
   */
  getTranscript(id: string, options: Omit<NonNullable<Api.GetTranscriptData["query"]>, "format"> & CallOptions = {}): Promise<Exclude<Api.GetTranscriptResponse, string | void>> {
    return this.transport.json<Exclude<Api.GetTranscriptResponse, string | void>>({ method: "GET", path: `/v1/jobs/${encodeURIComponent(id)}/transcript`, query: { "speakers": options.speakers }, options })
  }

  /**
   * Read the transcript.
   *
   * Words with their times and speakers, as JSON or as text: by `format`, else by what `Accept` likes best. A job without sound has `audio_branch: absent` and no segments.
   */
  getTranscriptText(id: string, options: Text<NonNullable<Api.GetTranscriptData["query"]>> & CallOptions): Promise<string> {
    return this.transport.text({ method: "GET", path: `/v1/jobs/${encodeURIComponent(id)}/transcript`, query: { "format": options.format, "speakers": options.speakers }, options })
  }

  /**
   * Read the frame inventory.
   *
   * The frames that were kept, each with its moment, cluster and perceptual hash. The number in `source_ref` is that of the sampled frame and the same in every run.
   */
  getFrames(id: string, options: NonNullable<Api.GetFramesData["query"]> & CallOptions = {}): Promise<Api.GetFramesResponse> {
    return this.transport.json<Api.GetFramesResponse>({ method: "GET", path: `/v1/jobs/${encodeURIComponent(id)}/frames`, query: { "include_raw": options.include_raw }, options })
  }

  /**
   * Read a kept frame.
   *
   * The frame as JPEG, for showing evidence: by its id, or by the `source_ref` of a span, of which `#` is written `%23`.
   */
  getFrameImage(id: string, frame_id: string, options: CallOptions = {}): Promise<Blob> {
    return this.transport.bytes({ method: "GET", path: `/v1/jobs/${encodeURIComponent(id)}/frames/${encodeURIComponent(frame_id)}/image`, options })
  }

  /**
   * Read the frame descriptions.
   *
   * What is on screen in each kept frame, with the text read from it; boxes are fractions of the frame. A job without picture has `visual_branch: absent` and no frames.
   */
  getVision(id: string, options: CallOptions = {}): Promise<Api.GetVisionResponse> {
    return this.transport.json<Api.GetVisionResponse>({ method: "GET", path: `/v1/jobs/${encodeURIComponent(id)}/vision`, options })
  }

  /**
   * Read the knowledge graph.
   *
   * `compact` merges mentions of the same thing and drops what nothing refers to; `canonical` has everything. Ids follow from the content. As JSON, or by `format` as text for other tools.
   */
  getGraph(id: string, options: Omit<NonNullable<Api.GetGraphData["query"]>, "format"> & CallOptions = {}): Promise<Exclude<Api.GetGraphResponse, string | void>> {
    return this.transport.json<Exclude<Api.GetGraphResponse, string | void>>({ method: "GET", path: `/v1/jobs/${encodeURIComponent(id)}/graph`, query: { "view": options.view, "speakers": options.speakers }, options })
  }

  /**
   * Read the knowledge graph.
   *
   * `compact` merges mentions of the same thing and drops what nothing refers to; `canonical` has everything. Ids follow from the content. As JSON, or by `format` as text for other tools.
   */
  getGraphText(id: string, options: Text<NonNullable<Api.GetGraphData["query"]>> & CallOptions): Promise<string> {
    return this.transport.text({ method: "GET", path: `/v1/jobs/${encodeURIComponent(id)}/graph`, query: { "view": options.view, "format": options.format, "speakers": options.speakers }, options })
  }

  /**
   * Read the result.
   *
   * The typed result by itself; with `reviewed=true` as people have corrected it.
   */
  getResult(id: string, options: NonNullable<Api.GetResultData["query"]> & CallOptions = {}): Promise<Api.GetResultResponse> {
    return this.transport.json<Api.GetResultResponse>({ method: "GET", path: `/v1/jobs/${encodeURIComponent(id)}/result`, query: { "reviewed": options.reviewed, "speakers": options.speakers }, options })
  }

  /**
   * Read the evidence spans.
   *
   * One span for every value of the result that was extracted or derived: where in the source it comes from, word for word. What was not found is told in `unfilled`. With `reviewed=true` what people gave is of origin `person`, and what they decided on has `reviewed_by` and `revision`.
   */
  getEvidence(id: string, options: NonNullable<Api.GetEvidenceData["query"]> & CallOptions = {}): Promise<Api.GetEvidenceResponse> {
    return this.transport.json<Api.GetEvidenceResponse>({ method: "GET", path: `/v1/jobs/${encodeURIComponent(id)}/evidence`, query: { "reviewed": options.reviewed, "speakers": options.speakers }, options })
  }

  /**
   * Read the signed manifest.
   *
   * What the job was made from and the hash of everything that it made, signed with Ed25519.
   */
  getManifest(id: string, options: CallOptions = {}): Promise<Api.GetManifestResponse> {
    return this.transport.json<Api.GetManifestResponse>({ method: "GET", path: `/v1/jobs/${encodeURIComponent(id)}/manifest`, options })
  }

  /**
   * Read the result as a page.
   *
   * One page that shows the result beside its footage, with every script, word and style in it: it opens from a folder or a mail without a service and without the network. Kept frames are in it as far as 12 MiB hold them, cited ones first; where the footage is not beside the page, they stand in for it. With `reviewed=true` as people have corrected it, with what the job signed beside that, by which its manifest is verified.
   */
  getReport(id: string, options: NonNullable<Api.GetReportData["query"]> & CallOptions = {}): Promise<string> {
    return this.transport.text({ method: "GET", path: `/v1/jobs/${encodeURIComponent(id)}/report.html`, query: { "media": options.media, "reviewed": options.reviewed }, options })
  }

  /**
   * Download all that a job left.
   *
   * A zip file with the job, its schema and result, every artifact, the transcript in every format, the kept frames, and the signed manifest with the public keys: unpacked, `footnote verify` accepts it as it is. The same job is the same file, byte for byte. Takes one of the tenant's places for open streams while it is sent.
   */
  export(id: string, options: CallOptions = {}): Promise<Blob> {
    return this.transport.bytes({ method: "GET", path: `/v1/jobs/${encodeURIComponent(id)}/export`, options })
  }

  /**
   * Play the source.
   *
   * The bytes that the job was made of, with `Range` (answered by 206), `If-Range`, `ETag` and `HEAD`, as the media type of the container that was found in them. What was fetched from an address is kept as long as the job; an upload for its 7 days, or until it is deleted: then 410 `SOURCE_ERASED`, while the transcript, kept frames and evidence remain. A job that was extracted from another one has that one's source. Takes one of the tenant's places for open streams while it is sent.
   */
  getMedia(id: string, options: { range?: string } & { if_range?: string } & CallOptions = {}): Promise<Blob> {
    return this.transport.bytes({ method: "GET", path: `/v1/jobs/${encodeURIComponent(id)}/media`, headers: { "range": options.range, "if-range": options.if_range }, options })
  }

  /**
   * See how the preview stands.
   *
   * Whether there is something that every browser plays, how far it is, and what the source itself is.
   */
  getPreview(id: string, options: CallOptions = {}): Promise<Api.GetPreviewResponse> {
    return this.transport.json<Api.GetPreviewResponse>({ method: "GET", path: `/v1/jobs/${encodeURIComponent(id)}/preview`, options })
  }

  /**
   * Have a preview made.
   *
   * Of a source that browsers cannot play (HEVC, AV1 on old machines, MPEG-2, odd containers, pictures at odd times): H.264 and AAC in fragmented MP4, 720 lines at most, whose moments are those of the source within one picture. Made by a media worker, kept as long as the source and the job, and counted in the tenant's storage. 202 while it is being made, 200 once it is there. Idempotent by itself: it is made once. Sent again under its `Idempotency-Key` it answers 200 with how the preview stands now.
   */
  createPreview(id: string, options: KeyedOptions = {}): Promise<Api.CreatePreviewResponse> {
    return this.transport.json<Api.CreatePreviewResponse>({ method: "POST", path: `/v1/jobs/${encodeURIComponent(id)}/preview`, idempotency_key: options.idempotency_key ?? freshKey(), options })
  }

  /**
   * Play the preview.
   *
   * As the source is played; 409 `RENDITION_NOT_READY` before it has been made.
   */
  getPreviewMedia(id: string, options: { range?: string } & { if_range?: string } & CallOptions = {}): Promise<Blob> {
    return this.transport.bytes({ method: "GET", path: `/v1/jobs/${encodeURIComponent(id)}/preview/media`, headers: { "range": options.range, "if-range": options.if_range }, options })
  }

  /**
   * See the picture of a moment.
   *
   * The picture that stands at that moment as JPEG, made from the source by a media worker and kept for a day: `X-Frame-Timestamp` is the moment, `X-Frame-Origin` `source`. Where the source is gone, or has no picture there, the kept frame nearest to it, with its own moment and `kept`. 503 with `Retry-After` where it takes longer than a request may: the next one finds it.
   */
  getFrameAt(id: string, options: NonNullable<Api.GetFrameAtData["query"]> & { range?: string } & { if_range?: string } & CallOptions): Promise<Blob> {
    return this.transport.bytes({ method: "GET", path: `/v1/jobs/${encodeURIComponent(id)}/frames/at`, query: { "t": options.t }, headers: { "range": options.range, "if-range": options.if_range }, options })
  }

  /**
   * Cut a clip.
   *
   * A part of the source, made by a media worker and kept for a day. 503 with `Retry-After` where it takes longer than a request may: the next one finds it. 422 `RENDITION_FAILED` where it cannot be made, which nobody tries again for a minute.
   */
  getClip(id: string, options: NonNullable<Api.GetClipData["query"]> & { range?: string } & { if_range?: string } & CallOptions): Promise<Blob> {
    return this.transport.bytes({ method: "GET", path: `/v1/jobs/${encodeURIComponent(id)}/clips`, query: { "t_start": options.t_start, "t_end": options.t_end, "format": options.format }, headers: { "range": options.range, "if-range": options.if_range }, options })
  }

  /**
   * Make a link to the media.
   *
   * A signed address that opens one job's media without a key, for a player that cannot send one: for an hour at most, and no longer than the job and its source are there. What is sent by it counts for the tenant. A link that is forged, over, or of a job that is gone is answered as one to nothing. Under an `Idempotency-Key` the same link is told until it is over.
   */
  createMediaLink(id: string, body: Api.CreateMediaLinkData["body"], options: KeyedOptions = {}): Promise<Api.CreateMediaLinkResponse> {
    return this.transport.json<Api.CreateMediaLinkResponse>({ method: "POST", path: `/v1/jobs/${encodeURIComponent(id)}/media-links`, body, idempotency_key: options.idempotency_key ?? freshKey(), options })
  }

  /**
   * Review a result.
   *
   * Accepts, corrects or rejects values of a succeeded job's result, or chooses among those that were held back, and makes a revision that never changes. The reviewed result fits the job's schema as its own does, or the review is refused with each decision that does not fit. On another than the last revision it is 409 `REVIEW_CONFLICT`, and nothing is made. The job's own result stays what it was: read `result` and `evidence` with `reviewed=true`, or deliver with `reviewed`.
   */
  createReview(id: string, body: Api.CreateJobReviewData["body"], options: KeyedOptions = {}): Promise<Api.CreateJobReviewResponse> {
    return this.transport.json<Api.CreateJobReviewResponse>({ method: "POST", path: `/v1/jobs/${encodeURIComponent(id)}/reviews`, body, idempotency_key: options.idempotency_key ?? freshKey(), options })
  }

  /**
   * List a job's reviews.
   *
   * Newest first: who decided what, and when.
   */
  listReviews(id: string, options: NonNullable<Api.ListJobReviewsData["query"]> & CallOptions = {}): Pages<Api.ListJobReviewsResponse["data"][number]> {
    return this.transport.page<Api.ListJobReviewsResponse["data"][number]>({ method: "GET", path: `/v1/jobs/${encodeURIComponent(id)}/reviews`, query: { "limit": options.limit, "cursor": options.cursor }, options })
  }

  /**
   * Read a review.
   *
   * One revision, with what stood at each place and what stands there since.
   */
  getReview(id: string, review_id: string, options: CallOptions = {}): Promise<Api.GetJobReviewResponse> {
    return this.transport.json<Api.GetJobReviewResponse>({ method: "GET", path: `/v1/jobs/${encodeURIComponent(id)}/reviews/${encodeURIComponent(review_id)}`, options })
  }

  /**
   * Read a reviewed job as a gold record.
   *
   * What was said and shown, the schema, and the right result leaf by leaf, as one line of a `*.jsonl` file by which an extractor can be scored. Every leaf has to have been decided on, which `accept` of the whole (`"pointer": ""`) does for all that are right; else 409 `REVIEW_INCOMPLETE` with those that are left.
   */
  getGold(id: string, options: CallOptions = {}): Promise<Api.GetJobGoldResponse> {
    return this.transport.json<Api.GetJobGoldResponse>({ method: "GET", path: `/v1/jobs/${encodeURIComponent(id)}/gold`, options })
  }

  /**
   * Read who speaks.
   *
   * Every voice of a succeeded job, as it was heard and as people named it.
   */
  getSpeakers(id: string, options: CallOptions = {}): Promise<Api.GetJobSpeakersResponse> {
    return this.transport.json<Api.GetJobSpeakersResponse>({ method: "GET", path: `/v1/jobs/${encodeURIComponent(id)}/speakers`, options })
  }

  /**
   * Name and merge speakers.
   *
   * Takes the place of every name and merger before. From now on the transcript in every format, the graph, the report, exports and deliveries call the speakers so, and so do values of result and evidence whose `formula` is the speaker of their quote; an extraction from the job works with these names. What the job wrote stays, and is read with `speakers=as_heard`: its manifest vouches for that. A name with which the result would not fit its schema is refused.
   */
  nameSpeakers(id: string, body: Api.NameJobSpeakersData["body"], options: CallOptions = {}): Promise<Api.NameJobSpeakersResponse> {
    return this.transport.json<Api.NameJobSpeakersResponse>({ method: "PUT", path: `/v1/jobs/${encodeURIComponent(id)}/speakers`, body, options })
  }

  /**
   * Estimate a job.
   *
   * Time, tokens and cost that a job would take, from earlier jobs. Creates, fetches and reserves nothing; what is not known is null and told in `unknown`.
   */
  estimate(body: Api.EstimateJobData["body"], options: KeyedOptions = {}): Promise<Api.EstimateJobResponse> {
    return this.transport.json<Api.EstimateJobResponse>({ method: "POST", path: "/v1/jobs/estimate", body, idempotency_key: options.idempotency_key ?? freshKey(), options })
  }
}

export class BatchesOperations extends Operations {
  /**
   * List batches.
   *
   * Newest first, each with how its items stand.
   */
  list(options: NonNullable<Api.ListBatchesData["query"]> & CallOptions = {}): Pages<Api.ListBatchesResponse["data"][number]> {
    return this.transport.page<Api.ListBatchesResponse["data"][number]>({ method: "GET", path: "/v1/batches", query: { "limit": options.limit, "cursor": options.cursor }, options })
  }

  /**
   * Read a batch.
   *
   * How its items stand, and which job each became. `GET /v1/jobs?batch_id=` lists the jobs. A webhook destination of one of its jobs that asks for `batch.completed` is told when the last one has ended.
   */
  get(id: string, options: CallOptions = {}): Promise<Api.GetBatchResponse> {
    return this.transport.json<Api.GetBatchResponse>({ method: "GET", path: `/v1/batches/${encodeURIComponent(id)}`, options })
  }
}

export class UploadsOperations extends Operations {
  /**
   * List uploads.
   *
   * Newest first: files that are here and files that are still coming, until they expire.
   */
  list(options: NonNullable<Api.ListUploadsData["query"]> & CallOptions = {}): Pages<Api.ListUploadsResponse["data"][number]> {
    return this.transport.page<Api.ListUploadsResponse["data"][number]>({ method: "GET", path: "/v1/uploads", query: { "limit": options.limit, "cursor": options.cursor }, options })
  }

  /**
   * Read an upload.
   *
   * `HEAD` gives the headers alone; with `Tus-Resumable` it also ends a request that still sends to this upload, so that `Upload-Offset` is where to go on.
   */
  get(id: string, options: CallOptions = {}): Promise<Api.GetUploadResponse> {
    return this.transport.json<Api.GetUploadResponse>({ method: "GET", path: `/v1/uploads/${encodeURIComponent(id)}`, options })
  }

  /**
   * Delete an upload.
   *
   * It is unknown at once to everything but another DELETE, which is answered as the first for 30 days; a job that has fetched it already is not disturbed, and one that has not fails with `SOURCE_UNREACHABLE`. 204 where the request speaks tus, as that protocol has it.
   */
  delete(id: string, options: CallOptions = {}): Promise<Exclude<Api.DeleteUploadResponse, string | void>> {
    return this.transport.json<Exclude<Api.DeleteUploadResponse, string | void>>({ method: "DELETE", path: `/v1/uploads/${encodeURIComponent(id)}`, options })
  }
}

export class SchemasOperations extends Operations {
  /**
   * Register a schema.
   *
   * Takes a JSON Schema that a result can be given for: at most 128 KiB, no remote `$ref`, linear patterns.
   */
  create(body: Api.CreateSchemaData["body"], options: KeyedOptions = {}): Promise<Api.CreateSchemaResponse> {
    return this.transport.json<Api.CreateSchemaResponse>({ method: "POST", path: "/v1/schemas", body, idempotency_key: options.idempotency_key ?? freshKey(), options })
  }

  /**
   * List schemas.
   *
   * The tenant's own, newest first, then the shipped templates.
   */
  list(options: NonNullable<Api.ListSchemasData["query"]> & CallOptions = {}): Pages<Api.ListSchemasResponse["data"][number]> {
    return this.transport.page<Api.ListSchemasResponse["data"][number]>({ method: "GET", path: "/v1/schemas", query: { "limit": options.limit, "cursor": options.cursor }, options })
  }

  /**
   * Make a schema from examples.
   *
   * Every example fits the answer, which can be registered as it is; the same examples in any order give the same bytes. Nothing is saved.
   */
  infer(body: Api.InferSchemaData["body"], options: KeyedOptions = {}): Promise<Api.InferSchemaResponse> {
    return this.transport.json<Api.InferSchemaResponse>({ method: "POST", path: "/v1/schemas/infer", body, idempotency_key: options.idempotency_key ?? freshKey(), options })
  }

  /**
   * Read a schema.
   *
   * One of the tenant's own or a shipped template: its newest version, or the one that is named.
   */
  get(id: string, options: NonNullable<Api.GetSchemaData["query"]> & CallOptions = {}): Promise<Api.GetSchemaResponse> {
    return this.transport.json<Api.GetSchemaResponse>({ method: "GET", path: `/v1/schemas/${encodeURIComponent(id)}`, query: { "version": options.version }, options })
  }

  /**
   * Delete a schema.
   *
   * Idempotent. Jobs keep the copy that they run with.
   */
  delete(id: string, options: CallOptions = {}): Promise<Api.DeleteSchemaResponse> {
    return this.transport.json<Api.DeleteSchemaResponse>({ method: "DELETE", path: `/v1/schemas/${encodeURIComponent(id)}`, options })
  }

  /**
   * Add a version to a schema.
   *
   * The newest version is what a job gets that names the schema alone; jobs that run already, and the versions before, stay as they are. Templates have none.
   */
  createVersion(id: string, body: Api.CreateSchemaVersionData["body"], options: KeyedOptions = {}): Promise<Api.CreateSchemaVersionResponse> {
    return this.transport.json<Api.CreateSchemaVersionResponse>({ method: "POST", path: `/v1/schemas/${encodeURIComponent(id)}/versions`, body, idempotency_key: options.idempotency_key ?? freshKey(), options })
  }

  /**
   * List the versions of a schema.
   *
   * All of them, newest first. Each is read by `GET /v1/schemas/{id}?version=`.
   */
  listVersions(id: string, options: CallOptions = {}): Promise<Api.ListSchemaVersionsResponse> {
    return this.transport.json<Api.ListSchemaVersionsResponse>({ method: "GET", path: `/v1/schemas/${encodeURIComponent(id)}/versions`, options })
  }

  /**
   * Try a schema.
   *
   * Fills the schema from a transcript that is sent, or from what a job that succeeded has heard and seen, and answers result, evidence and what was not found. It is a job like any other, in the same line and under the same limits; its answer is held for `wait_seconds`, and nothing of it is kept once it is told. Where it takes longer, `status` is not terminal and `GET /v1/jobs/{job_id}` has the rest. Under an `Idempotency-Key` the answer is kept for as long as the key, where it has no more than a million characters.
   */
  test(id: string, body: Api.TestSchemaData["body"], options: KeyedOptions = {}): Promise<Api.TestSchemaResponse> {
    return this.transport.json<Api.TestSchemaResponse>({ method: "POST", path: `/v1/schemas/${encodeURIComponent(id)}/test`, body, idempotency_key: options.idempotency_key ?? freshKey(), options })
  }
}

export class ApiKeysOperations extends Operations {
  /**
   * Create an API key.
   *
   * Mints a key of the calling tenant. Its secret is in this answer and its replays within 24 hours, and nowhere else.
   */
  create(body: Api.CreateApiKeyData["body"], options: KeyedOptions = {}): Promise<Api.CreateApiKeyResponse> {
    return this.transport.json<Api.CreateApiKeyResponse>({ method: "POST", path: "/v1/api-keys", body, idempotency_key: options.idempotency_key ?? freshKey(), options })
  }

  /**
   * List API keys.
   *
   * Newest first, revoked ones included; never a secret.
   */
  list(options: NonNullable<Api.ListApiKeysData["query"]> & CallOptions = {}): Pages<Api.ListApiKeysResponse["data"][number]> {
    return this.transport.page<Api.ListApiKeysResponse["data"][number]>({ method: "GET", path: "/v1/api-keys", query: { "limit": options.limit, "cursor": options.cursor }, options })
  }

  /**
   * Revoke an API key.
   *
   * Idempotent. The key that authenticates the request cannot be revoked by it.
   */
  revoke(id: string, options: CallOptions = {}): Promise<Api.RevokeApiKeyResponse> {
    return this.transport.json<Api.RevokeApiKeyResponse>({ method: "DELETE", path: `/v1/api-keys/${encodeURIComponent(id)}`, options })
  }
}

export class DestinationsOperations extends Operations {
  /**
   * Register a destination.
   *
   * Active at once. The other end is first looked at when there is something to deliver, or by a test.
   */
  create(body: Api.CreateDestinationData["body"], options: KeyedOptions = {}): Promise<Api.CreateDestinationResponse> {
    return this.transport.json<Api.CreateDestinationResponse>({ method: "POST", path: "/v1/destinations", body, idempotency_key: options.idempotency_key ?? freshKey(), options })
  }

  /**
   * List destinations.
   *
   * Newest first; never a secret.
   */
  list(options: NonNullable<Api.ListDestinationsData["query"]> & CallOptions = {}): Pages<Api.ListDestinationsResponse["data"][number]> {
    return this.transport.page<Api.ListDestinationsResponse["data"][number]>({ method: "GET", path: "/v1/destinations", query: { "limit": options.limit, "cursor": options.cursor }, options })
  }

  /**
   * Read a destination.
   *
   * Its state and what its last health check found; never its config.
   */
  get(id: string, options: CallOptions = {}): Promise<Api.GetDestinationResponse> {
    return this.transport.json<Api.GetDestinationResponse>({ method: "GET", path: `/v1/destinations/${encodeURIComponent(id)}`, options })
  }

  /**
   * Change a destination.
   *
   * A `config` takes the place of the old one as a whole. While `paused`, deliveries wait.
   */
  update(id: string, body: Api.UpdateDestinationData["body"], options: CallOptions = {}): Promise<Api.UpdateDestinationResponse> {
    return this.transport.json<Api.UpdateDestinationResponse>({ method: "PATCH", path: `/v1/destinations/${encodeURIComponent(id)}`, body, options })
  }

  /**
   * Delete a destination.
   *
   * Its secrets are erased, and no delivery to it begins any more. Idempotent.
   */
  delete(id: string, options: CallOptions = {}): Promise<Api.DeleteDestinationResponse> {
    return this.transport.json<Api.DeleteDestinationResponse>({ method: "DELETE", path: `/v1/destinations/${encodeURIComponent(id)}`, options })
  }

  /**
   * Rotate a webhook's signing secret.
   *
   * The new secret is in this answer and nowhere else. Within the window, deliveries are signed with both.
   */
  rotateSigningSecret(id: string, body?: NonNullable<Api.RotateSigningSecretData["body"]>, options: KeyedOptions = {}): Promise<Api.RotateSigningSecretResponse> {
    return this.transport.json<Api.RotateSigningSecretResponse>({ method: "POST", path: `/v1/destinations/${encodeURIComponent(id)}/rotate-signing-secret`, body, idempotency_key: options.idempotency_key ?? freshKey(), options })
  }

  /**
   * Check a destination now.
   *
   * The answer tells what was found in `last_health_status` and `last_health_message`; a good check makes a broken one active. A webhook gets a signed `destination.test` event; elsewhere nothing is written. Sent again under its `Idempotency-Key` it tells what was found then.
   */
  test(id: string, options: KeyedOptions = {}): Promise<Api.TestDestinationResponse> {
    return this.transport.json<Api.TestDestinationResponse>({ method: "POST", path: `/v1/destinations/${encodeURIComponent(id)}/test`, idempotency_key: options.idempotency_key ?? freshKey(), options })
  }

  /**
   * Deliver finished jobs to a destination.
   *
   * Queues the results of the tenant's succeeded jobs, those that finished in the given time or all of them, oldest first and at most 10,000 by one request. A job that has been delivered to it, or is about to be, is left out, so sending it again does what is left.
   */
  backfill(id: string, body?: NonNullable<Api.BackfillDestinationData["body"]>, options: KeyedOptions = {}): Promise<Api.BackfillDestinationResponse> {
    return this.transport.json<Api.BackfillDestinationResponse>({ method: "POST", path: `/v1/destinations/${encodeURIComponent(id)}/backfill`, body, idempotency_key: options.idempotency_key ?? freshKey(), options })
  }

  /**
   * Send failed deliveries again.
   *
   * Every delivery to this destination that has failed since a moment, each under its own event id.
   */
  recoverDeliveries(id: string, body: Api.RecoverDeliveriesData["body"], options: KeyedOptions = {}): Promise<Api.RecoverDeliveriesResponse> {
    return this.transport.json<Api.RecoverDeliveriesResponse>({ method: "POST", path: `/v1/destinations/${encodeURIComponent(id)}/recover`, body, idempotency_key: options.idempotency_key ?? freshKey(), options })
  }
}

export class DeliveriesOperations extends Operations {
  /**
   * List deliveries.
   *
   * Newest first, each with its attempts. `status=failed` lists what was given up.
   */
  list(options: NonNullable<Api.ListDeliveriesData["query"]> & CallOptions = {}): Pages<Api.ListDeliveriesResponse["data"][number]> {
    return this.transport.page<Api.ListDeliveriesResponse["data"][number]>({ method: "GET", path: "/v1/deliveries", query: { "limit": options.limit, "cursor": options.cursor, "job_id": options.job_id, "destination_id": options.destination_id, "status": options.status }, options })
  }

  /**
   * Read a delivery.
   *
   * Its state and every attempt that was made.
   */
  get(id: string, options: CallOptions = {}): Promise<Api.GetDeliveryResponse> {
    return this.transport.json<Api.GetDeliveryResponse>({ method: "GET", path: `/v1/deliveries/${encodeURIComponent(id)}`, options })
  }

  /**
   * Send a delivery again.
   *
   * Under the same event id, with all of its attempts before it. One that is being attempted stays as it is.
   */
  retry(id: string, options: KeyedOptions = {}): Promise<Api.RetryDeliveryResponse> {
    return this.transport.json<Api.RetryDeliveryResponse>({ method: "POST", path: `/v1/deliveries/${encodeURIComponent(id)}/retry`, idempotency_key: options.idempotency_key ?? freshKey(), options })
  }
}

export class ExportsOperations extends Operations {
  /**
   * Export finished jobs.
   *
   * Holds the jobs that pass every filter and have ended by now, with what is to stand beside each. Nothing is copied: erased jobs are left out. The next export takes this one's `created_at` as `finished_after`. Kept for 7 days.
   */
  create(body: Api.CreateExportData["body"], options: KeyedOptions = {}): Promise<Api.CreateExportResponse> {
    return this.transport.json<Api.CreateExportResponse>({ method: "POST", path: "/v1/exports", body, idempotency_key: options.idempotency_key ?? freshKey(), options })
  }

  /**
   * List exports.
   *
   * Newest first.
   */
  list(options: NonNullable<Api.ListExportsData["query"]> & CallOptions = {}): Pages<Api.ListExportsResponse["data"][number]> {
    return this.transport.page<Api.ListExportsResponse["data"][number]>({ method: "GET", path: "/v1/exports", query: { "limit": options.limit, "cursor": options.cursor }, options })
  }

  /**
   * Read an export.
   *
   * Which jobs it holds, and where its content is.
   */
  get(id: string, options: CallOptions = {}): Promise<Api.GetExportResponse> {
    return this.transport.json<Api.GetExportResponse>({ method: "GET", path: `/v1/exports/${encodeURIComponent(id)}`, options })
  }

  /**
   * Delete an export.
   *
   * Idempotent. The jobs stay.
   */
  delete(id: string, options: CallOptions = {}): Promise<Api.DeleteExportResponse> {
    return this.transport.json<Api.DeleteExportResponse>({ method: "DELETE", path: `/v1/exports/${encodeURIComponent(id)}`, options })
  }

  /**
   * Read the content of an export.
   *
   * One `ExportLine` as JSON in each line, in the order in which the jobs ended. Where the answer breaks off, send the `cursor` of the last whole line: the content goes on after it. Takes one of the tenant's places for open streams while it is sent.
   */
  read(id: string, options: NonNullable<Api.ReadExportData["query"]> & CallOptions = {}): AsyncGenerator<Api.ExportLine, void, undefined> {
    return this.transport.lines<Api.ExportLine>({ method: "GET", path: `/v1/exports/${encodeURIComponent(id)}/content`, query: { "cursor": options.cursor }, options })
  }
}

export class SettingsOperations extends Operations {
  /**
   * Read the settings.
   *
   * What the tenant sets for all of its jobs; never a secret.
   */
  get(options: CallOptions = {}): Promise<Api.GetSettingsResponse> {
    return this.transport.json<Api.GetSettingsResponse>({ method: "GET", path: "/v1/settings", options })
  }

  /**
   * Change the settings.
   *
   * Default destinations are taken by jobs that are created from now on without `destination_ids`. With a `language_model` the transcripts of this tenant's jobs go there and nowhere else; what it costs is the tenant's own.
   */
  update(body: Api.UpdateSettingsData["body"], options: CallOptions = {}): Promise<Api.UpdateSettingsResponse> {
    return this.transport.json<Api.UpdateSettingsResponse>({ method: "PATCH", path: "/v1/settings", body, options })
  }

  /**
   * Make or rotate the tenant's webhook secret.
   *
   * From now on every event to a job's `webhook_url` is signed with this secret too, beside the job's own, so that one secret checks them all. It is in this answer and nowhere else.
   */
  rotateWebhookSecret(body?: NonNullable<Api.RotateWebhookSecretData["body"]>, options: KeyedOptions = {}): Promise<Api.RotateWebhookSecretResponse> {
    return this.transport.json<Api.RotateWebhookSecretResponse>({ method: "POST", path: "/v1/settings/rotate-webhook-secret", body, idempotency_key: options.idempotency_key ?? freshKey(), options })
  }
}

export class UsageOperations extends Operations {
  /**
   * Read the usage of a month.
   *
   * What the tenant's jobs took, and how it stands with its cost quota. Erased jobs keep counting.
   */
  get(options: NonNullable<Api.GetUsageData["query"]> & CallOptions = {}): Promise<Api.GetUsageResponse> {
    return this.transport.json<Api.GetUsageResponse>({ method: "GET", path: "/v1/usage", query: { "period": options.period }, options })
  }
}

export class LimitsOperations extends Operations {
  /**
   * Read the limits.
   *
   * Every limit that applies to the tenant, with its numbers as they are now.
   */
  get(options: CallOptions = {}): Promise<Api.GetLimitsResponse> {
    return this.transport.json<Api.GetLimitsResponse>({ method: "GET", path: "/v1/limits", options })
  }
}

export class ModelStacksOperations extends Operations {
  /**
   * List the model stacks.
   *
   * What `model_stack` of a job may name. One that is not ready its operator has to fetch first.
   */
  list(options: CallOptions = {}): Promise<Api.ListModelStacksResponse> {
    return this.transport.json<Api.ListModelStacksResponse>({ method: "GET", path: "/v1/model-stacks", options })
  }
}

export class SessionOperations extends Operations {
  /**
   * Sign a browser in.
   *
   * Takes an API key and sets the cookie `footnote_session`, which pages cannot read and other sites cannot send. It ends after 12 hours, with `DELETE`, and with the key. Programs send their key instead.
   */
  create(body: Api.CreateSessionData["body"], options: CallOptions = {}): Promise<Api.CreateSessionResponse> {
    return this.transport.json<Api.CreateSessionResponse>({ method: "POST", path: "/v1/session", body, options })
  }

  /**
   * Read the browser's session.
   *
   * What signing in answered; 401 where the browser is not signed in.
   */
  get(options: CallOptions = {}): Promise<Api.GetSessionResponse> {
    return this.transport.json<Api.GetSessionResponse>({ method: "GET", path: "/v1/session", options })
  }

  /**
   * Sign a browser out.
   *
   * The session is unknown from then on, and its event streams end within a second.
   */
  delete(options: CallOptions = {}): Promise<void> {
    return this.transport.none({ method: "DELETE", path: "/v1/session", options })
  }
}

export class ServiceOperations extends Operations {
  /**
   * Whether the process is alive.
   *
   * Asks nothing else of the deployment. No credentials are needed.
   */
  getHealth(options: CallOptions = {}): Promise<Api.GetHealthResponse> {
    return this.transport.json<Api.GetHealthResponse>({ method: "GET", path: "/healthz", options })
  }

  /**
   * Whether jobs can be taken and worked on.
   *
   * 200 when the database answers, its schema is current, a worker was seen lately and the process is not about to stop; otherwise 503.
   */
  getReadiness(options: CallOptions = {}): Promise<Api.GetReadinessResponse> {
    return this.transport.json<Api.GetReadinessResponse>({ method: "GET", path: "/readyz", options })
  }

  /**
   * Read the public keys that manifests are signed with.
   *
   * The key in use first, then those that were in use before. No credentials are needed.
   */
  getSigningKeys(options: CallOptions = {}): Promise<Api.GetSigningKeysResponse> {
    return this.transport.json<Api.GetSigningKeysResponse>({ method: "GET", path: "/.well-known/footnote-signing-keys", options })
  }
}

/** Every resource of the API. */
export class Resources extends Operations {
  readonly jobs: JobsOperations = new JobsOperations(this.transport)
  readonly batches: BatchesOperations = new BatchesOperations(this.transport)
  readonly uploads: UploadsOperations = new UploadsOperations(this.transport)
  readonly schemas: SchemasOperations = new SchemasOperations(this.transport)
  readonly apiKeys: ApiKeysOperations = new ApiKeysOperations(this.transport)
  readonly destinations: DestinationsOperations = new DestinationsOperations(this.transport)
  readonly deliveries: DeliveriesOperations = new DeliveriesOperations(this.transport)
  readonly exports: ExportsOperations = new ExportsOperations(this.transport)
  readonly settings: SettingsOperations = new SettingsOperations(this.transport)
  readonly usage: UsageOperations = new UsageOperations(this.transport)
  readonly limits: LimitsOperations = new LimitsOperations(this.transport)
  readonly modelStacks: ModelStacksOperations = new ModelStacksOperations(this.transport)
  readonly session: SessionOperations = new SessionOperations(this.transport)
  readonly service: ServiceOperations = new ServiceOperations(this.transport)
}
