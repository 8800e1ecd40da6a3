import { Effect, Option, Schedule, Schema } from "effect"
import { frameRef } from "../../src/artifacts/Frames.ts"
import {
  StoredEvidence,
  StoredFrames,
  StoredGraph,
  StoredTranscript,
  StoredVision
} from "../../src/artifacts/StoredArtifacts.ts"
import { canonicalJson } from "../../src/crypto/CanonicalJson.ts"
import type { TenantId } from "../../src/identity/Id.ts"
import type { Attested } from "../../src/jobs/model/Attested.ts"
import { type JobFailureCode, StageFailure } from "../../src/jobs/model/JobFailure.ts"
import { KeptImages, type Warning } from "../../src/jobs/model/StageIo.ts"
import { jsonDigest } from "../../src/manifests/JsonDigest.ts"
import { ModelStore } from "../../src/model-stacks/ModelStore.ts"
import { notFetched } from "../../src/model-stacks/StackFiles.ts"
import { tolerated } from "../../src/observability/Tolerated.ts"
import type { JsonSchema } from "../../src/schemas/json-schema/JsonSchema.ts"
import type { BlobRef } from "../../src/storage/BlobRef.ts"
import { Blobs } from "../../src/storage/Blobs.ts"
import { blobFile, readBlob } from "../../src/storage/CheckedBlobs.ts"
import { Compute } from "../compute/Compute.ts"
import type { InputOf } from "../compute/ComputeCall.ts"
import { CallOwner } from "../compute/ComputeProcess.ts"
import { fromStore } from "../engine/FromStore.ts"
import { usesOn } from "../engine/ModelUses.ts"
import { stackAway } from "../engine/StackAway.ts"
import type { StageHandler, StageTask } from "../engine/Stage.ts"
import { extractionCalls } from "./ExtractionCalls.ts"
import { nothing, spendingOfCall } from "./ExtractionSpending.ts"
import { type ExtractorChoice, extractorConfig, extractorFor } from "./ExtractorChoice.ts"
import { llmDefaults } from "./proposers/llm/LlmConfig.ts"
import type { KeptPicture } from "./proposers/Proposer.ts"
import { readerEndpoint } from "./proposers/reader/ReaderEndpoint.ts"
import { type TenantModel, TenantModels } from "./TenantModel.ts"
import { makeEarlierImages } from "./text/EarlierImages.ts"

const unavailable: JobFailureCode = "MODEL_UNAVAILABLE"

const decodeTranscript = Schema.decodeEffect(Schema.fromJsonString(StoredTranscript.codec))
const decodeImages = Schema.decodeEffect(Schema.fromJsonString(KeptImages))
const imagesOf = (bytes: Uint8Array) => Effect.orDie(decodeImages(new TextDecoder().decode(bytes)))
/** Frames among which a model's pictures are chosen: a bucket brings each of them here. */
const MOST_PICTURES = 400

const transcriptOf = (bytes: Uint8Array) => Effect.orDie(decodeTranscript(new TextDecoder().decode(bytes)))

/** What of the operator's settings can change a result. Where an endpoint is, and its key, is nobody else's affair. */
const settingsOf = (choice: ExtractorChoice): Attested["extractor"] => {
  if (choice.kind === "builtin" || choice.kind === "onnx") return { kind: choice.kind }
  const {
    chunk_tokens,
    fallback,
    judge = true,
    model,
    most_tokens,
    pictures: sees = "false",
    timeout_seconds,
    graph = false
  } = choice.kind === "llm" ? choice.endpoint : readerEndpoint(choice.reader, choice.settings)
  return {
    kind: choice.kind,
    model,
    chunk_tokens,
    most_tokens,
    timeout_seconds,
    fallback,
    judge,
    graph,
    pictures: sees
  }
}

/** That a tenant's own model was not used is no secret of the log. */
const unusedWarnings = (own: TenantModel | undefined): ReadonlyArray<Warning> =>
  own === undefined || "endpoint" in own ? [] : [{
    code: "LLM_UNAVAILABLE",
    message: `The language model is away (${own.unusable}): the built-in extractor took its place.`
  }]

/**
 * The extraction lane: transcript and descriptions become the typed result, its evidence and the graph, and every artifact
 * of the job lies below the task's own prefix. The work is done in the lane's child process. Fails with
 * `EXTRACTION_FAILED` where no result fits the schema or, with `on_missing: "fail"`, where a required leaf was not
 * found, with `MODEL_UNAVAILABLE` where the job's stack or the configured endpoint cannot be used, and with `INTERNAL` when
 * the blob store is away.
 */
export const makeExtractionStages = Effect.gen(function*() {
  const blobs = yield* Blobs
  const compute = yield* Compute
  const store = yield* ModelStore
  const config = yield* extractorConfig
  const defaults = yield* llmDefaults
  const tenantModels = yield* TenantModels
  const copyImages = yield* makeEarlierImages
  const path = (ref: BlobRef) => fromStore(blobFile(blobs, ref))
  /** Who proposes; the files of a stack are looked at only where one of them is needed. */
  const chosen = Effect.fnUntraced(
    function*(id: string, own: TenantModel | undefined) {
      const stack = yield* store.find(id)
      // A tenant with a model of its own has its footage read by no other one.
      const kind = extractorFor(own === undefined ? config : { ...config, endpoint: null }, stack)
      const endpoint = own !== undefined && "endpoint" in own ? own.endpoint : kind === "llm" ? config.endpoint : null
      if (endpoint !== null) {
        // Who asks an endpoint may have no files of the stack, and needs none.
        const roles = stack.roles.search === undefined ? undefined : yield* Effect.option(store.resolve(id))
        const search = Option.getOrUndefined(roles ?? Option.none())?.roles.search
        return { kind: "llm", endpoint, ...(search === undefined ? {} : { search }) } satisfies ExtractorChoice
      }
      if (kind === "builtin") return { kind } satisfies ExtractorChoice
      const { qa, reader, search } = (yield* store.resolve(id)).roles
      if (kind === "onnx") return { kind, qa: qa! } satisfies ExtractorChoice
      if (reader !== undefined) {
        const found = search === undefined ? {} : { search }
        return { kind: "reader", reader, settings: defaults, ...found } satisfies ExtractorChoice
      }
      if (config.wish === kind) return yield* Effect.fail({ message: notFetched(id, kind) })
      return qa === undefined
        ? { kind: "builtin" } satisfies ExtractorChoice
        : { kind: "onnx", qa } satisfies ExtractorChoice
    },
    (effect, id) => effect.pipe(Effect.catch(stackAway(store, id)))
  )
  const ownOf = Effect.fnUntraced(function*(tenant_id: TenantId) {
    const own = yield* tenantModels.find(tenant_id, defaults)
    const allowed = config.wish === "auto" || config.wish === "llm"
    const model: TenantModel | undefined = own === undefined || allowed
      ? own
      : { unusable: "this deployment uses none (FOOTNOTE_EXTRACTOR)" }
    if (model !== undefined && "unusable" in model && defaults.fallback === "fail") {
      return yield* new StageFailure({
        code: unavailable,
        message: `The tenant's language model cannot be used: ${model.unusable}.`,
        retryable: false
      })
    }
    return model
  })
  /** The stack's own file, options and all. */
  const stackDigest = (id: string) =>
    store.find(id).pipe(
      Effect.map((stack) => ({ id, digest: jsonDigest(stack) })),
      Effect.catch(stackAway(store, id))
    )
  /** Calls the child and books what it spends: now and then, since this process may be killed, and at every end. */
  const call = (input: InputOf<typeof extractionCalls.extract>, charge: NonNullable<StageTask<"extract">["charge"]>) =>
    Effect.suspend(() => {
      const spending = spendingOfCall()
      let booked = nothing
      const book = Effect.suspend(() => {
        const now = spending.spent()
        if (now === booked) return Effect.void
        return Effect.andThen(charge(now), Effect.sync(() => void (booked = now)))
      })
      const booking = tolerated("Booking what an extraction spends", "booked with what it spends next, and at its end")
      const last = Effect.retry(book, { times: 20, schedule: Schedule.spaced("500 millis") })
      const calling = compute.call(extractionCalls.extract, input, spending.heard)
      // An endpoint is asked so often at a time by one process, whoever's the jobs are; these mostly wait.
      // And a second process would hold a second reader in memory.
      const alone = input.extractor.kind === "llm" || input.extractor.kind === "reader"
      const answer = alone ? Effect.provideService(calling, CallOwner, undefined) : calling
      const counted = Effect.map(answer, (extracted) => ({ ...extracted, ...spending.spentWith(extracted) }))
      return Effect.raceFirst(counted, Effect.forever(Effect.delay(book.pipe(booking), "5 seconds"))).pipe(
        Effect.ensuring(last.pipe(booking))
      )
    })

  /** Local files of kept frames, where a language model may be shown them. */
  const picturesFor = Effect.fnUntraced(function*(choice: ExtractorChoice, images: BlobRef | null | undefined) {
    const { pictures = "false" } = choice.kind === "llm" ? choice.endpoint : {}
    if (pictures === "false" || images == null) return undefined
    const kept = yield* imagesOf(yield* fromStore(readBlob(blobs, images)))
    return yield* Effect.forEach(
      kept.slice(0, MOST_PICTURES),
      ({ height, image, index, width }) =>
        Effect.map(path(image), (file): KeptPicture => ({
          source_ref: frameRef(index),
          file,
          sha256: image.sha256,
          size_bytes: image.size_bytes,
          width,
          height
        })),
      { concurrency: 4 }
    )
  })

  const extract: StageHandler<"extract"> = Effect.fn("extract")(function*(
    { blobPrefix, charge = () => Effect.void, input, progress, spec, tenant_id }
  ) {
    const { descriptions = [], facts, inventory, vision } = input
    const own_images = vision === undefined || input.images == null
      ? undefined
      : yield* copyImages(tenant_id, input.images, blobPrefix)
    const images = own_images ?? input.images
    const keep = (name: string, bytes: Uint8Array) => fromStore(blobs.put(`${blobPrefix}/${name}.json`, bytes))
    const own = yield* ownOf(tenant_id)
    const extractor = yield* chosen(spec.model_stack, own)
    const pictures = yield* picturesFor(extractor, images)
    const extracted = yield* call({
      tenant_id,
      ...(pictures === undefined ? {} : { pictures }),
      transcript: yield* path(input.transcript),
      inventory: inventory === null ? null : yield* path(inventory),
      images: images == null ? null : yield* path(images),
      descriptions: yield* Effect.forEach(descriptions, path),
      vision: vision === undefined ? null : yield* path(vision),
      vision_model: input.vision_model ?? null,
      json_schema: spec.json_schema as JsonSchema,
      normalised_schema: spec.normalised_schema as JsonSchema | undefined,
      facts,
      hints: spec.hints,
      on_missing: spec.on_missing,
      precision: spec.precision ?? "strict",
      instructions: spec.instructions,
      extractor
    }, charge)
    const subjects = yield* fromStore(
      blobs.put(`${blobPrefix}/subjects.json`, Buffer.from(canonicalJson(extracted.subjects as unknown as Schema.Json)))
    )
    const transcript = yield* transcriptOf(yield* fromStore(readBlob(blobs, input.transcript)))
    yield* progress(facts.duration_seconds, facts.duration_seconds)
    return {
      transcript: yield* keep("transcript", StoredTranscript.bytes(transcript)),
      frames: yield* keep("frames", StoredFrames.bytes(extracted.frames)),
      vision: yield* keep("vision", StoredVision.bytes(extracted.vision)),
      graph: yield* keep("graph", StoredGraph.bytes(extracted.graph)),
      graph_compact: yield* keep("graph_compact", StoredGraph.bytes(extracted.graph_compact)),
      evidence: yield* keep("evidence", StoredEvidence.bytes(extracted.evidence)),
      result: yield* keep("result", Buffer.from(JSON.stringify(extracted.result))),
      ...(own_images === undefined ? {} : { images: own_images }),
      result_confidence: extracted.result_confidence,
      counts: extracted.counts,
      model_seconds: extracted.model_seconds,
      tokens: extracted.tokens,
      cost: extracted.cost,
      models: yield* usesOn(store, spec.model_stack, extracted.models),
      warnings: [...extracted.warnings, ...unusedWarnings(own)],
      attested: {
        ...extracted.attested,
        subjects,
        model_stack: yield* stackDigest(spec.model_stack),
        extractor: {
          ...settingsOf(extractor),
          ...(own !== undefined && "endpoint" in own ? { endpoint: "tenant" } : {}),
          ...extracted.asked
        }
      }
    }
  })

  return { extract }
})
