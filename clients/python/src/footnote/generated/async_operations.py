# Generated from docs/openapi.json by tools/write-clients.ts; never edited.
from __future__ import annotations

import typing as t
from datetime import datetime

from .._call import Call, fresh_key, joined, quote
from .._pages import AsyncPages
from .._async_transport import AsyncTransport
from . import models, params

__all__ = ["AsyncJobsOperations", "AsyncBatchesOperations", "AsyncUploadsOperations", "AsyncSchemasOperations", "AsyncApiKeysOperations", "AsyncDestinationsOperations", "AsyncDeliveriesOperations", "AsyncExportsOperations", "AsyncSettingsOperations", "AsyncUsageOperations", "AsyncLimitsOperations", "AsyncModelStacksOperations", "AsyncSessionOperations", "AsyncServiceOperations", "AsyncResources"]


class AsyncOperations:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport


class AsyncJobsOperations(AsyncOperations):
    async def create(self, body: params.CreateJob, *, x_service_model_stack: t.Optional[str] = None, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None) -> models.CreatedJob:
        """Create a job.

        201 with `Location` for a new job; 200 with `Idempotent-Replayed: true` where the key was used for this body before.
        """
        return await self._transport.json(models.CreatedJob, Call("POST", "/v1/jobs", headers={"x-service-model-stack": x_service_model_stack}, body=body, idempotency_key=idempotency_key or fresh_key(), timeout=timeout))

    def list(self, *, limit: t.Optional[int] = None, cursor: t.Optional[str] = None, status: t.Optional[t.Union[t.Literal["queued", "running", "succeeded", "failed", "cancelled"], t.Sequence[t.Literal["queued", "running", "succeeded", "failed", "cancelled"]]]] = None, batch_id: t.Optional[str] = None, schema_id: t.Optional[str] = None, source_uri: t.Optional[str] = None, created_after: t.Optional[t.Union[datetime, str]] = None, created_before: t.Optional[t.Union[datetime, str]] = None, finished_after: t.Optional[t.Union[datetime, str]] = None, finished_before: t.Optional[t.Union[datetime, str]] = None, sort: t.Optional[t.Literal["created_at", "finished_at"]] = None, expand: t.Optional[t.Sequence[t.Literal["result", "evidence"]]] = None, metadata: t.Optional[t.Mapping[str, str]] = None, timeout: t.Optional[float] = None) -> AsyncPages[models.ListedJob]:
        """List jobs.

        Newest first by creation, or by `sort=finished_at` in the order in which jobs ended; without results; `expand=result,evidence` puts them beside each job, and ends the page where it would become larger than 8 MiB. All filters hold together. Moments are shown to the millisecond: `…_after` includes the one that it names and `…_before` does not, so a poller that sends the last `finished_at` it has seen as `finished_after` is told that one again. For such a poller is `sort=finished_at`: the pages go on to the last that has ended. A job can be seen some moments after its `finished_at`, so send one that is some seconds earlier and let go what is known.
        """
        return self._transport.page(models.ListedJob, Call("GET", "/v1/jobs", query={"limit": limit, "cursor": cursor, "status": status, "batch_id": batch_id, "schema_id": schema_id, "source_uri": source_uri, "created_after": created_after, "created_before": created_before, "finished_after": finished_after, "finished_before": finished_before, "sort": sort, "expand": joined(expand), "metadata": metadata}, timeout=timeout))

    async def create_jobs(self, body: params.CreateJobsBody, *, x_service_model_stack: t.Optional[str] = None, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None) -> models.Batch:
        """Create up to 100 jobs.

        Each item is judged and answered alone, one after the other; a wrong one stops no other. Always 200: the status of each is in its outcome. Counts as one write for each item. `Location` is the batch. Sent again under the same `Idempotency-Key` it answers what became of each item, and goes on with the rest where it broke off.
        """
        return await self._transport.json(models.Batch, Call("POST", "/v1/jobs/batch", headers={"x-service-model-stack": x_service_model_stack}, body=body, idempotency_key=idempotency_key or fresh_key(), timeout=timeout))

    async def get(self, id: str, *, wait: t.Optional[int] = None, timeout: t.Optional[float] = None) -> models.Job:
        """Read a job.

        With `wait` the answer is held until the job is terminal or the seconds are over, whichever comes first. The result is there once the job has succeeded.
        """
        return await self._transport.json(models.Job, Call("GET", f"/v1/jobs/{quote(id)}", query={"wait": wait}, timeout=timeout))

    async def delete(self, id: str, *, timeout: t.Optional[float] = None) -> models.DeletedJob:
        """Erase a job.

        Erases a terminal job with its source copy and artifacts; deliveries that have not begun are cancelled. Idempotent. A job that is still at work has to be cancelled first: 400 `INVALID_REQUEST` with its `status`.
        """
        return await self._transport.json(models.DeletedJob, Call("DELETE", f"/v1/jobs/{quote(id)}", timeout=timeout))

    async def get_schema(self, id: str, *, timeout: t.Optional[float] = None) -> models.JobSchema:
        """Read the schema of a job.

        As it was sent, member for member, and the copy in 2020-12 that judged and filled the result.
        """
        return await self._transport.json(models.JobSchema, Call("GET", f"/v1/jobs/{quote(id)}/schema", timeout=timeout))

    async def cancel(self, id: str, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None) -> models.Job:
        """Cancel a job.

        Cancelled at once; work still running stops within 2 seconds. Idempotent by itself: a job that is cancelled already is answered as it is.
        """
        return await self._transport.json(models.Job, Call("POST", f"/v1/jobs/{quote(id)}/cancel", idempotency_key=idempotency_key or fresh_key(), timeout=timeout))

    async def retry(self, id: str, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None) -> models.CreatedJob:
        """Run a job that is over again.

        A terminal job never changes, so this makes a new one with the same schema, hints, stack, metadata and webhook, whose `retry_of` names this one; limits and quota apply to it. A job that succeeded is computed from the bytes that it was made of, for as long as they are kept, and its destinations are not sent the result a second time; any other fetches its `source_uri` again. 201 with `Location`; 200 with `Idempotent-Replayed: true` where the key was used for this before.
        """
        return await self._transport.json(models.CreatedJob, Call("POST", f"/v1/jobs/{quote(id)}/retry", idempotency_key=idempotency_key or fresh_key(), timeout=timeout))

    async def extract_again(self, id: str, body: params.CreateExtraction, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None) -> models.CreatedJob:
        """Extract from a finished job by another schema.

        Makes a new job, whose `extracted_from` names this one, that fills another schema from what was heard and seen already: nothing is fetched, decoded or recognised again. Its hints and stack are those of this job. The words that a schema names are listened for when a source is transcribed; those of the new schema were not, so where that mattered a job made of the source may hear more. The new job has artifacts and a manifest of its own, and stays whole when this one is erased. Limits and quota apply to it. 201 with `Location`; 200 with `Idempotent-Replayed: true` where the key was used for this before.
        """
        return await self._transport.json(models.CreatedJob, Call("POST", f"/v1/jobs/{quote(id)}/extractions", body=body, idempotency_key=idempotency_key or fresh_key(), timeout=timeout))

    def list_deliveries(self, id: str, *, limit: t.Optional[int] = None, cursor: t.Optional[str] = None, timeout: t.Optional[float] = None) -> AsyncPages[models.Delivery]:
        """List a job's deliveries.

        Newest first: to `webhook_url` and to destinations.
        """
        return self._transport.page(models.Delivery, Call("GET", f"/v1/jobs/{quote(id)}/deliveries", query={"limit": limit, "cursor": cursor}, timeout=timeout))

    async def create_delivery(self, id: str, body: params.CreateDelivery, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None) -> models.Delivery:
        """Deliver a job's result.

        To a destination of any type; with `reviewed` as its last review left it. Answers at once with `Location`; the delivery goes on by itself.
        """
        return await self._transport.json(models.Delivery, Call("POST", f"/v1/jobs/{quote(id)}/deliveries", body=body, idempotency_key=idempotency_key or fresh_key(), timeout=timeout))

    async def get_transcript(self, id: str, *, speakers: t.Optional[t.Literal["named", "as_heard"]] = None, timeout: t.Optional[float] = None) -> models.JobTranscript:
        """Read the transcript.

        Words with their times and speakers, as JSON or as text: by `format`, else by what `Accept` likes best. A job without sound has `audio_branch: absent` and no segments.
        """
        return await self._transport.json(models.JobTranscript, Call("GET", f"/v1/jobs/{quote(id)}/transcript", query={"speakers": speakers}, timeout=timeout))

    async def get_transcript_text(self, id: str, *, format: t.Literal["srt", "vtt", "txt", "stm", "ctm", "rttm"], speakers: t.Optional[t.Literal["named", "as_heard"]] = None, timeout: t.Optional[float] = None) -> str:
        """Read the transcript.

        Words with their times and speakers, as JSON or as text: by `format`, else by what `Accept` likes best. A job without sound has `audio_branch: absent` and no segments.
        """
        return await self._transport.text(Call("GET", f"/v1/jobs/{quote(id)}/transcript", query={"format": format, "speakers": speakers}, timeout=timeout))

    async def get_frames(self, id: str, *, include_raw: t.Optional[bool] = None, timeout: t.Optional[float] = None) -> models.JobFrames:
        """Read the frame inventory.

        The frames that were kept, each with its moment, cluster and perceptual hash. The number in `source_ref` is that of the sampled frame and the same in every run.
        """
        return await self._transport.json(models.JobFrames, Call("GET", f"/v1/jobs/{quote(id)}/frames", query={"include_raw": include_raw}, timeout=timeout))

    async def get_frame_image(self, id: str, frame_id: str, *, timeout: t.Optional[float] = None) -> bytes:
        """Read a kept frame.

        The frame as JPEG, for showing evidence: by its id, or by the `source_ref` of a span, of which `#` is written `%23`.
        """
        return await self._transport.bytes(Call("GET", f"/v1/jobs/{quote(id)}/frames/{quote(frame_id)}/image", timeout=timeout))

    async def get_vision(self, id: str, *, timeout: t.Optional[float] = None) -> models.JobVision:
        """Read the frame descriptions.

        What is on screen in each kept frame, with the text read from it; boxes are fractions of the frame. A job without picture has `visual_branch: absent` and no frames.
        """
        return await self._transport.json(models.JobVision, Call("GET", f"/v1/jobs/{quote(id)}/vision", timeout=timeout))

    async def get_graph(self, id: str, *, view: t.Optional[t.Literal["compact", "canonical"]] = None, speakers: t.Optional[t.Literal["named", "as_heard"]] = None, timeout: t.Optional[float] = None) -> models.JobGraph:
        """Read the knowledge graph.

        `compact` merges mentions of the same thing and drops what nothing refers to; `canonical` has everything. Ids follow from the content. As JSON, or by `format` as text for other tools.
        """
        return await self._transport.json(models.JobGraph, Call("GET", f"/v1/jobs/{quote(id)}/graph", query={"view": view, "speakers": speakers}, timeout=timeout))

    async def get_graph_text(self, id: str, *, format: t.Literal["jsonld", "graphml", "nodes_csv", "edges_csv"], view: t.Optional[t.Literal["compact", "canonical"]] = None, speakers: t.Optional[t.Literal["named", "as_heard"]] = None, timeout: t.Optional[float] = None) -> str:
        """Read the knowledge graph.

        `compact` merges mentions of the same thing and drops what nothing refers to; `canonical` has everything. Ids follow from the content. As JSON, or by `format` as text for other tools.
        """
        return await self._transport.text(Call("GET", f"/v1/jobs/{quote(id)}/graph", query={"view": view, "format": format, "speakers": speakers}, timeout=timeout))

    async def get_result(self, id: str, *, reviewed: t.Optional[bool] = None, speakers: t.Optional[t.Literal["named", "as_heard"]] = None, timeout: t.Optional[float] = None) -> models.JobResult:
        """Read the result.

        The typed result by itself; with `reviewed=true` as people have corrected it.
        """
        return await self._transport.json(models.JobResult, Call("GET", f"/v1/jobs/{quote(id)}/result", query={"reviewed": reviewed, "speakers": speakers}, timeout=timeout))

    async def get_evidence(self, id: str, *, reviewed: t.Optional[bool] = None, speakers: t.Optional[t.Literal["named", "as_heard"]] = None, timeout: t.Optional[float] = None) -> models.JobEvidence:
        """Read the evidence spans.

        One span for every value of the result that was extracted or derived: where in the source it comes from, word for word. What was not found is told in `unfilled`. With `reviewed=true` what people gave is of origin `person`, and what they decided on has `reviewed_by` and `revision`.
        """
        return await self._transport.json(models.JobEvidence, Call("GET", f"/v1/jobs/{quote(id)}/evidence", query={"reviewed": reviewed, "speakers": speakers}, timeout=timeout))

    async def get_manifest(self, id: str, *, timeout: t.Optional[float] = None) -> models.Manifest:
        """Read the signed manifest.

        What the job was made from and the hash of everything that it made, signed with Ed25519.
        """
        return await self._transport.json(models.Manifest, Call("GET", f"/v1/jobs/{quote(id)}/manifest", timeout=timeout))

    async def get_report(self, id: str, *, media: t.Optional[str] = None, reviewed: t.Optional[bool] = None, timeout: t.Optional[float] = None) -> str:
        """Read the result as a page.

        One page that shows the result beside its footage, with every script, word and style in it: it opens from a folder or a mail without a service and without the network. Kept frames are in it as far as 12 MiB hold them, cited ones first; where the footage is not beside the page, they stand in for it. With `reviewed=true` as people have corrected it, with what the job signed beside that, by which its manifest is verified.
        """
        return await self._transport.text(Call("GET", f"/v1/jobs/{quote(id)}/report.html", query={"media": media, "reviewed": reviewed}, timeout=timeout))

    async def export(self, id: str, *, timeout: t.Optional[float] = None) -> bytes:
        """Download all that a job left.

        A zip file with the job, its schema and result, every artifact, the transcript in every format, the kept frames, and the signed manifest with the public keys: unpacked, `footnote verify` accepts it as it is. The same job is the same file, byte for byte. Takes one of the tenant's places for open streams while it is sent.
        """
        return await self._transport.bytes(Call("GET", f"/v1/jobs/{quote(id)}/export", timeout=timeout))

    async def get_media(self, id: str, *, range: t.Optional[str] = None, if_range: t.Optional[str] = None, timeout: t.Optional[float] = None) -> bytes:
        """Play the source.

        The bytes that the job was made of, with `Range` (answered by 206), `If-Range`, `ETag` and `HEAD`, as the media type of the container that was found in them. What was fetched from an address is kept as long as the job; an upload for its 7 days, or until it is deleted: then 410 `SOURCE_ERASED`, while the transcript, kept frames and evidence remain. A job that was extracted from another one has that one's source. Takes one of the tenant's places for open streams while it is sent.
        """
        return await self._transport.bytes(Call("GET", f"/v1/jobs/{quote(id)}/media", headers={"range": range, "if-range": if_range}, timeout=timeout))

    async def get_preview(self, id: str, *, timeout: t.Optional[float] = None) -> models.Preview:
        """See how the preview stands.

        Whether there is something that every browser plays, how far it is, and what the source itself is.
        """
        return await self._transport.json(models.Preview, Call("GET", f"/v1/jobs/{quote(id)}/preview", timeout=timeout))

    async def create_preview(self, id: str, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None) -> models.Preview:
        """Have a preview made.

        Of a source that browsers cannot play (HEVC, AV1 on old machines, MPEG-2, odd containers, pictures at odd times): H.264 and AAC in fragmented MP4, 720 lines at most, whose moments are those of the source within one picture. Made by a media worker, kept as long as the source and the job, and counted in the tenant's storage. 202 while it is being made, 200 once it is there. Idempotent by itself: it is made once. Sent again under its `Idempotency-Key` it answers 200 with how the preview stands now.
        """
        return await self._transport.json(models.Preview, Call("POST", f"/v1/jobs/{quote(id)}/preview", idempotency_key=idempotency_key or fresh_key(), timeout=timeout))

    async def get_preview_media(self, id: str, *, range: t.Optional[str] = None, if_range: t.Optional[str] = None, timeout: t.Optional[float] = None) -> bytes:
        """Play the preview.

        As the source is played; 409 `RENDITION_NOT_READY` before it has been made.
        """
        return await self._transport.bytes(Call("GET", f"/v1/jobs/{quote(id)}/preview/media", headers={"range": range, "if-range": if_range}, timeout=timeout))

    async def get_frame_at(self, id: str, *, t: float, range: t.Optional[str] = None, if_range: t.Optional[str] = None, timeout: t.Optional[float] = None) -> bytes:
        """See the picture of a moment.

        The picture that stands at that moment as JPEG, made from the source by a media worker and kept for a day: `X-Frame-Timestamp` is the moment, `X-Frame-Origin` `source`. Where the source is gone, or has no picture there, the kept frame nearest to it, with its own moment and `kept`. 503 with `Retry-After` where it takes longer than a request may: the next one finds it.
        """
        return await self._transport.bytes(Call("GET", f"/v1/jobs/{quote(id)}/frames/at", query={"t": t}, headers={"range": range, "if-range": if_range}, timeout=timeout))

    async def get_clip(self, id: str, *, t_start: float, t_end: float, format: t.Optional[t.Literal["mp4", "gif"]] = None, range: t.Optional[str] = None, if_range: t.Optional[str] = None, timeout: t.Optional[float] = None) -> bytes:
        """Cut a clip.

        A part of the source, made by a media worker and kept for a day. 503 with `Retry-After` where it takes longer than a request may: the next one finds it. 422 `RENDITION_FAILED` where it cannot be made, which nobody tries again for a minute.
        """
        return await self._transport.bytes(Call("GET", f"/v1/jobs/{quote(id)}/clips", query={"t_start": t_start, "t_end": t_end, "format": format}, headers={"range": range, "if-range": if_range}, timeout=timeout))

    async def create_media_link(self, id: str, body: params.CreateMediaLink, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None) -> models.MediaLink:
        """Make a link to the media.

        A signed address that opens one job's media without a key, for a player that cannot send one: for an hour at most, and no longer than the job and its source are there. What is sent by it counts for the tenant. A link that is forged, over, or of a job that is gone is answered as one to nothing. Under an `Idempotency-Key` the same link is told until it is over.
        """
        return await self._transport.json(models.MediaLink, Call("POST", f"/v1/jobs/{quote(id)}/media-links", body=body, idempotency_key=idempotency_key or fresh_key(), timeout=timeout))

    async def create_review(self, id: str, body: params.CreateReview, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None) -> models.Review:
        """Review a result.

        Accepts, corrects or rejects values of a succeeded job's result, or chooses among those that were held back, and makes a revision that never changes. The reviewed result fits the job's schema as its own does, or the review is refused with each decision that does not fit. On another than the last revision it is 409 `REVIEW_CONFLICT`, and nothing is made. The job's own result stays what it was: read `result` and `evidence` with `reviewed=true`, or deliver with `reviewed`.
        """
        return await self._transport.json(models.Review, Call("POST", f"/v1/jobs/{quote(id)}/reviews", body=body, idempotency_key=idempotency_key or fresh_key(), timeout=timeout))

    def list_reviews(self, id: str, *, limit: t.Optional[int] = None, cursor: t.Optional[str] = None, timeout: t.Optional[float] = None) -> AsyncPages[models.Review]:
        """List a job's reviews.

        Newest first: who decided what, and when.
        """
        return self._transport.page(models.Review, Call("GET", f"/v1/jobs/{quote(id)}/reviews", query={"limit": limit, "cursor": cursor}, timeout=timeout))

    async def get_review(self, id: str, review_id: str, *, timeout: t.Optional[float] = None) -> models.Review:
        """Read a review.

        One revision, with what stood at each place and what stands there since.
        """
        return await self._transport.json(models.Review, Call("GET", f"/v1/jobs/{quote(id)}/reviews/{quote(review_id)}", timeout=timeout))

    async def get_gold(self, id: str, *, timeout: t.Optional[float] = None) -> models.GoldRecord:
        """Read a reviewed job as a gold record.

        What was said and shown, the schema, and the right result leaf by leaf, as one line of a `*.jsonl` file by which an extractor can be scored. Every leaf has to have been decided on, which `accept` of the whole (`"pointer": ""`) does for all that are right; else 409 `REVIEW_INCOMPLETE` with those that are left.
        """
        return await self._transport.json(models.GoldRecord, Call("GET", f"/v1/jobs/{quote(id)}/gold", timeout=timeout))

    async def get_speakers(self, id: str, *, timeout: t.Optional[float] = None) -> models.JobSpeakers:
        """Read who speaks.

        Every voice of a succeeded job, as it was heard and as people named it.
        """
        return await self._transport.json(models.JobSpeakers, Call("GET", f"/v1/jobs/{quote(id)}/speakers", timeout=timeout))

    async def name_speakers(self, id: str, body: params.NameSpeakers, *, timeout: t.Optional[float] = None) -> models.JobSpeakers:
        """Name and merge speakers.

        Takes the place of every name and merger before. From now on the transcript in every format, the graph, the report, exports and deliveries call the speakers so, and so do values of result and evidence whose `formula` is the speaker of their quote; an extraction from the job works with these names. What the job wrote stays, and is read with `speakers=as_heard`: its manifest vouches for that. A name with which the result would not fit its schema is refused.
        """
        return await self._transport.json(models.JobSpeakers, Call("PUT", f"/v1/jobs/{quote(id)}/speakers", body=body, timeout=timeout))

    async def estimate(self, body: params.EstimateRequest, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None) -> models.Estimate:
        """Estimate a job.

        Time, tokens and cost that a job would take, from earlier jobs. Creates, fetches and reserves nothing; what is not known is null and told in `unknown`.
        """
        return await self._transport.json(models.Estimate, Call("POST", "/v1/jobs/estimate", body=body, idempotency_key=idempotency_key or fresh_key(), timeout=timeout))


class AsyncBatchesOperations(AsyncOperations):
    def list(self, *, limit: t.Optional[int] = None, cursor: t.Optional[str] = None, timeout: t.Optional[float] = None) -> AsyncPages[models.BatchRecord]:
        """List batches.

        Newest first, each with how its items stand.
        """
        return self._transport.page(models.BatchRecord, Call("GET", "/v1/batches", query={"limit": limit, "cursor": cursor}, timeout=timeout))

    async def get(self, id: str, *, timeout: t.Optional[float] = None) -> models.BatchDetails:
        """Read a batch.

        How its items stand, and which job each became. `GET /v1/jobs?batch_id=` lists the jobs. A webhook destination of one of its jobs that asks for `batch.completed` is told when the last one has ended.
        """
        return await self._transport.json(models.BatchDetails, Call("GET", f"/v1/batches/{quote(id)}", timeout=timeout))


class AsyncUploadsOperations(AsyncOperations):
    def list(self, *, limit: t.Optional[int] = None, cursor: t.Optional[str] = None, timeout: t.Optional[float] = None) -> AsyncPages[models.Upload]:
        """List uploads.

        Newest first: files that are here and files that are still coming, until they expire.
        """
        return self._transport.page(models.Upload, Call("GET", "/v1/uploads", query={"limit": limit, "cursor": cursor}, timeout=timeout))

    async def get(self, id: str, *, timeout: t.Optional[float] = None) -> models.Upload:
        """Read an upload.

        `HEAD` gives the headers alone; with `Tus-Resumable` it also ends a request that still sends to this upload, so that `Upload-Offset` is where to go on.
        """
        return await self._transport.json(models.Upload, Call("GET", f"/v1/uploads/{quote(id)}", timeout=timeout))

    async def delete(self, id: str, *, timeout: t.Optional[float] = None) -> models.DeletedUpload:
        """Delete an upload.

        It is unknown at once to everything but another DELETE, which is answered as the first for 30 days; a job that has fetched it already is not disturbed, and one that has not fails with `SOURCE_UNREACHABLE`. 204 where the request speaks tus, as that protocol has it.
        """
        return await self._transport.json(models.DeletedUpload, Call("DELETE", f"/v1/uploads/{quote(id)}", timeout=timeout))


class AsyncSchemasOperations(AsyncOperations):
    async def create(self, body: params.CreateSchema, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None) -> models.RegisteredSchema:
        """Register a schema.

        Takes a JSON Schema that a result can be given for: at most 128 KiB, no remote `$ref`, linear patterns.
        """
        return await self._transport.json(models.RegisteredSchema, Call("POST", "/v1/schemas", body=body, idempotency_key=idempotency_key or fresh_key(), timeout=timeout))

    def list(self, *, limit: t.Optional[int] = None, cursor: t.Optional[str] = None, timeout: t.Optional[float] = None) -> AsyncPages[models.SchemaSummary]:
        """List schemas.

        The tenant's own, newest first, then the shipped templates.
        """
        return self._transport.page(models.SchemaSummary, Call("GET", "/v1/schemas", query={"limit": limit, "cursor": cursor}, timeout=timeout))

    async def infer(self, body: params.InferSchema, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None) -> models.InferredSchema:
        """Make a schema from examples.

        Every example fits the answer, which can be registered as it is; the same examples in any order give the same bytes. Nothing is saved.
        """
        return await self._transport.json(models.InferredSchema, Call("POST", "/v1/schemas/infer", body=body, idempotency_key=idempotency_key or fresh_key(), timeout=timeout))

    async def get(self, id: str, *, version: t.Optional[int] = None, timeout: t.Optional[float] = None) -> models.ExtractionSchema:
        """Read a schema.

        One of the tenant's own or a shipped template: its newest version, or the one that is named.
        """
        return await self._transport.json(models.ExtractionSchema, Call("GET", f"/v1/schemas/{quote(id)}", query={"version": version}, timeout=timeout))

    async def delete(self, id: str, *, timeout: t.Optional[float] = None) -> models.DeletedSchema:
        """Delete a schema.

        Idempotent. Jobs keep the copy that they run with.
        """
        return await self._transport.json(models.DeletedSchema, Call("DELETE", f"/v1/schemas/{quote(id)}", timeout=timeout))

    async def create_version(self, id: str, body: params.CreateSchemaVersion, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None) -> models.RegisteredSchema:
        """Add a version to a schema.

        The newest version is what a job gets that names the schema alone; jobs that run already, and the versions before, stay as they are. Templates have none.
        """
        return await self._transport.json(models.RegisteredSchema, Call("POST", f"/v1/schemas/{quote(id)}/versions", body=body, idempotency_key=idempotency_key or fresh_key(), timeout=timeout))

    async def list_versions(self, id: str, *, timeout: t.Optional[float] = None) -> models.SchemaVersions:
        """List the versions of a schema.

        All of them, newest first. Each is read by `GET /v1/schemas/{id}?version=`.
        """
        return await self._transport.json(models.SchemaVersions, Call("GET", f"/v1/schemas/{quote(id)}/versions", timeout=timeout))

    async def test(self, id: str, body: params.TestSchema, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None) -> models.SchemaTest:
        """Try a schema.

        Fills the schema from a transcript that is sent, or from what a job that succeeded has heard and seen, and answers result, evidence and what was not found. It is a job like any other, in the same line and under the same limits; its answer is held for `wait_seconds`, and nothing of it is kept once it is told. Where it takes longer, `status` is not terminal and `GET /v1/jobs/{job_id}` has the rest. Under an `Idempotency-Key` the answer is kept for as long as the key, where it has no more than a million characters.
        """
        return await self._transport.json(models.SchemaTest, Call("POST", f"/v1/schemas/{quote(id)}/test", body=body, idempotency_key=idempotency_key or fresh_key(), timeout=timeout))


class AsyncApiKeysOperations(AsyncOperations):
    async def create(self, body: params.CreateApiKey, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None) -> models.CreatedApiKey:
        """Create an API key.

        Mints a key of the calling tenant. Its secret is in this answer and its replays within 24 hours, and nowhere else.
        """
        return await self._transport.json(models.CreatedApiKey, Call("POST", "/v1/api-keys", body=body, idempotency_key=idempotency_key or fresh_key(), timeout=timeout))

    def list(self, *, limit: t.Optional[int] = None, cursor: t.Optional[str] = None, timeout: t.Optional[float] = None) -> AsyncPages[models.ApiKey]:
        """List API keys.

        Newest first, revoked ones included; never a secret.
        """
        return self._transport.page(models.ApiKey, Call("GET", "/v1/api-keys", query={"limit": limit, "cursor": cursor}, timeout=timeout))

    async def revoke(self, id: str, *, timeout: t.Optional[float] = None) -> models.RevokedApiKey:
        """Revoke an API key.

        Idempotent. The key that authenticates the request cannot be revoked by it.
        """
        return await self._transport.json(models.RevokedApiKey, Call("DELETE", f"/v1/api-keys/{quote(id)}", timeout=timeout))


class AsyncDestinationsOperations(AsyncOperations):
    async def create(self, body: params.CreateDestination, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None) -> models.CreatedDestination:
        """Register a destination.

        Active at once. The other end is first looked at when there is something to deliver, or by a test.
        """
        return await self._transport.json(models.CreatedDestination, Call("POST", "/v1/destinations", body=body, idempotency_key=idempotency_key or fresh_key(), timeout=timeout))

    def list(self, *, limit: t.Optional[int] = None, cursor: t.Optional[str] = None, timeout: t.Optional[float] = None) -> AsyncPages[models.Destination]:
        """List destinations.

        Newest first; never a secret.
        """
        return self._transport.page(models.Destination, Call("GET", "/v1/destinations", query={"limit": limit, "cursor": cursor}, timeout=timeout))

    async def get(self, id: str, *, timeout: t.Optional[float] = None) -> models.Destination:
        """Read a destination.

        Its state and what its last health check found; never its config.
        """
        return await self._transport.json(models.Destination, Call("GET", f"/v1/destinations/{quote(id)}", timeout=timeout))

    async def update(self, id: str, body: params.UpdateDestination, *, timeout: t.Optional[float] = None) -> models.Destination:
        """Change a destination.

        A `config` takes the place of the old one as a whole. While `paused`, deliveries wait.
        """
        return await self._transport.json(models.Destination, Call("PATCH", f"/v1/destinations/{quote(id)}", body=body, timeout=timeout))

    async def delete(self, id: str, *, timeout: t.Optional[float] = None) -> models.DeletedDestination:
        """Delete a destination.

        Its secrets are erased, and no delivery to it begins any more. Idempotent.
        """
        return await self._transport.json(models.DeletedDestination, Call("DELETE", f"/v1/destinations/{quote(id)}", timeout=timeout))

    async def rotate_signing_secret(self, id: str, body: t.Optional[params.RotateSigningSecret] = None, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None) -> models.CreatedDestination:
        """Rotate a webhook's signing secret.

        The new secret is in this answer and nowhere else. Within the window, deliveries are signed with both.
        """
        return await self._transport.json(models.CreatedDestination, Call("POST", f"/v1/destinations/{quote(id)}/rotate-signing-secret", body=body, idempotency_key=idempotency_key or fresh_key(), timeout=timeout))

    async def test(self, id: str, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None) -> models.Destination:
        """Check a destination now.

        The answer tells what was found in `last_health_status` and `last_health_message`; a good check makes a broken one active. A webhook gets a signed `destination.test` event; elsewhere nothing is written. Sent again under its `Idempotency-Key` it tells what was found then.
        """
        return await self._transport.json(models.Destination, Call("POST", f"/v1/destinations/{quote(id)}/test", idempotency_key=idempotency_key or fresh_key(), timeout=timeout))

    async def backfill(self, id: str, body: t.Optional[params.BackfillDestination] = None, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None) -> models.BackfilledDestination:
        """Deliver finished jobs to a destination.

        Queues the results of the tenant's succeeded jobs, those that finished in the given time or all of them, oldest first and at most 10,000 by one request. A job that has been delivered to it, or is about to be, is left out, so sending it again does what is left.
        """
        return await self._transport.json(models.BackfilledDestination, Call("POST", f"/v1/destinations/{quote(id)}/backfill", body=body, idempotency_key=idempotency_key or fresh_key(), timeout=timeout))

    async def recover_deliveries(self, id: str, body: params.RecoverDeliveries, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None) -> models.RecoveredDeliveries:
        """Send failed deliveries again.

        Every delivery to this destination that has failed since a moment, each under its own event id.
        """
        return await self._transport.json(models.RecoveredDeliveries, Call("POST", f"/v1/destinations/{quote(id)}/recover", body=body, idempotency_key=idempotency_key or fresh_key(), timeout=timeout))


class AsyncDeliveriesOperations(AsyncOperations):
    def list(self, *, limit: t.Optional[int] = None, cursor: t.Optional[str] = None, job_id: t.Optional[str] = None, destination_id: t.Optional[str] = None, status: t.Optional[t.Literal["pending", "delivering", "succeeded", "failed", "cancelled"]] = None, timeout: t.Optional[float] = None) -> AsyncPages[models.Delivery]:
        """List deliveries.

        Newest first, each with its attempts. `status=failed` lists what was given up.
        """
        return self._transport.page(models.Delivery, Call("GET", "/v1/deliveries", query={"limit": limit, "cursor": cursor, "job_id": job_id, "destination_id": destination_id, "status": status}, timeout=timeout))

    async def get(self, id: str, *, timeout: t.Optional[float] = None) -> models.Delivery:
        """Read a delivery.

        Its state and every attempt that was made.
        """
        return await self._transport.json(models.Delivery, Call("GET", f"/v1/deliveries/{quote(id)}", timeout=timeout))

    async def retry(self, id: str, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None) -> models.Delivery:
        """Send a delivery again.

        Under the same event id, with all of its attempts before it. One that is being attempted stays as it is.
        """
        return await self._transport.json(models.Delivery, Call("POST", f"/v1/deliveries/{quote(id)}/retry", idempotency_key=idempotency_key or fresh_key(), timeout=timeout))


class AsyncExportsOperations(AsyncOperations):
    async def create(self, body: params.CreateExport, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None) -> models.Export:
        """Export finished jobs.

        Holds the jobs that pass every filter and have ended by now, with what is to stand beside each. Nothing is copied: erased jobs are left out. The next export takes this one's `created_at` as `finished_after`. Kept for 7 days.
        """
        return await self._transport.json(models.Export, Call("POST", "/v1/exports", body=body, idempotency_key=idempotency_key or fresh_key(), timeout=timeout))

    def list(self, *, limit: t.Optional[int] = None, cursor: t.Optional[str] = None, timeout: t.Optional[float] = None) -> AsyncPages[models.Export]:
        """List exports.

        Newest first.
        """
        return self._transport.page(models.Export, Call("GET", "/v1/exports", query={"limit": limit, "cursor": cursor}, timeout=timeout))

    async def get(self, id: str, *, timeout: t.Optional[float] = None) -> models.Export:
        """Read an export.

        Which jobs it holds, and where its content is.
        """
        return await self._transport.json(models.Export, Call("GET", f"/v1/exports/{quote(id)}", timeout=timeout))

    async def delete(self, id: str, *, timeout: t.Optional[float] = None) -> models.DeletedExport:
        """Delete an export.

        Idempotent. The jobs stay.
        """
        return await self._transport.json(models.DeletedExport, Call("DELETE", f"/v1/exports/{quote(id)}", timeout=timeout))

    def read(self, id: str, *, cursor: t.Optional[str] = None, timeout: t.Optional[float] = None) -> t.AsyncIterator[t.Any]:
        """Read the content of an export.

        One `ExportLine` as JSON in each line, in the order in which the jobs ended. Where the answer breaks off, send the `cursor` of the last whole line: the content goes on after it. Takes one of the tenant's places for open streams while it is sent.
        """
        return self._transport.lines(Call("GET", f"/v1/exports/{quote(id)}/content", query={"cursor": cursor}, timeout=timeout))


class AsyncSettingsOperations(AsyncOperations):
    async def get(self, *, timeout: t.Optional[float] = None) -> models.Settings:
        """Read the settings.

        What the tenant sets for all of its jobs; never a secret.
        """
        return await self._transport.json(models.Settings, Call("GET", "/v1/settings", timeout=timeout))

    async def update(self, body: params.UpdateSettings, *, timeout: t.Optional[float] = None) -> models.Settings:
        """Change the settings.

        Default destinations are taken by jobs that are created from now on without `destination_ids`. With a `language_model` the transcripts of this tenant's jobs go there and nowhere else; what it costs is the tenant's own.
        """
        return await self._transport.json(models.Settings, Call("PATCH", "/v1/settings", body=body, timeout=timeout))

    async def rotate_webhook_secret(self, body: t.Optional[params.RotateSigningSecret] = None, *, idempotency_key: t.Optional[str] = None, timeout: t.Optional[float] = None) -> models.RotatedWebhookSecret:
        """Make or rotate the tenant's webhook secret.

        From now on every event to a job's `webhook_url` is signed with this secret too, beside the job's own, so that one secret checks them all. It is in this answer and nowhere else.
        """
        return await self._transport.json(models.RotatedWebhookSecret, Call("POST", "/v1/settings/rotate-webhook-secret", body=body, idempotency_key=idempotency_key or fresh_key(), timeout=timeout))


class AsyncUsageOperations(AsyncOperations):
    async def get(self, *, period: t.Optional[str] = None, timeout: t.Optional[float] = None) -> models.UsageReport:
        """Read the usage of a month.

        What the tenant's jobs took, and how it stands with its cost quota. Erased jobs keep counting.
        """
        return await self._transport.json(models.UsageReport, Call("GET", "/v1/usage", query={"period": period}, timeout=timeout))


class AsyncLimitsOperations(AsyncOperations):
    async def get(self, *, timeout: t.Optional[float] = None) -> models.Limits:
        """Read the limits.

        Every limit that applies to the tenant, with its numbers as they are now.
        """
        return await self._transport.json(models.Limits, Call("GET", "/v1/limits", timeout=timeout))


class AsyncModelStacksOperations(AsyncOperations):
    async def list(self, *, timeout: t.Optional[float] = None) -> models.ModelStacks:
        """List the model stacks.

        What `model_stack` of a job may name. One that is not ready its operator has to fetch first.
        """
        return await self._transport.json(models.ModelStacks, Call("GET", "/v1/model-stacks", timeout=timeout))


class AsyncSessionOperations(AsyncOperations):
    async def create(self, body: params.SignIn, *, timeout: t.Optional[float] = None) -> models.Session:
        """Sign a browser in.

        Takes an API key and sets the cookie `footnote_session`, which pages cannot read and other sites cannot send. It ends after 12 hours, with `DELETE`, and with the key. Programs send their key instead.
        """
        return await self._transport.json(models.Session, Call("POST", "/v1/session", body=body, timeout=timeout))

    async def get(self, *, timeout: t.Optional[float] = None) -> models.Session:
        """Read the browser's session.

        What signing in answered; 401 where the browser is not signed in.
        """
        return await self._transport.json(models.Session, Call("GET", "/v1/session", timeout=timeout))

    async def delete(self, *, timeout: t.Optional[float] = None) -> None:
        """Sign a browser out.

        The session is unknown from then on, and its event streams end within a second.
        """
        return await self._transport.none(Call("DELETE", "/v1/session", timeout=timeout))


class AsyncServiceOperations(AsyncOperations):
    async def get_health(self, *, timeout: t.Optional[float] = None) -> models.Health:
        """Whether the process is alive.

        Asks nothing else of the deployment. No credentials are needed.
        """
        return await self._transport.json(models.Health, Call("GET", "/healthz", timeout=timeout))

    async def get_readiness(self, *, timeout: t.Optional[float] = None) -> models.Readiness:
        """Whether jobs can be taken and worked on.

        200 when the database answers, its schema is current, a worker was seen lately and the process is not about to stop; otherwise 503.
        """
        return await self._transport.json(models.Readiness, Call("GET", "/readyz", timeout=timeout))

    async def get_signing_keys(self, *, timeout: t.Optional[float] = None) -> models.SigningKeys:
        """Read the public keys that manifests are signed with.

        The key in use first, then those that were in use before. No credentials are needed.
        """
        return await self._transport.json(models.SigningKeys, Call("GET", "/.well-known/footnote-signing-keys", timeout=timeout))


class AsyncResources(AsyncOperations):
    """Every resource of the API."""

    def __init__(self, transport: AsyncTransport) -> None:
        super().__init__(transport)
        self.jobs = AsyncJobsOperations(transport)
        self.batches = AsyncBatchesOperations(transport)
        self.uploads = AsyncUploadsOperations(transport)
        self.schemas = AsyncSchemasOperations(transport)
        self.api_keys = AsyncApiKeysOperations(transport)
        self.destinations = AsyncDestinationsOperations(transport)
        self.deliveries = AsyncDeliveriesOperations(transport)
        self.exports = AsyncExportsOperations(transport)
        self.settings = AsyncSettingsOperations(transport)
        self.usage = AsyncUsageOperations(transport)
        self.limits = AsyncLimitsOperations(transport)
        self.model_stacks = AsyncModelStacksOperations(transport)
        self.session = AsyncSessionOperations(transport)
        self.service = AsyncServiceOperations(transport)
