import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import type { Probe } from "../../../src/jobs/model/StageIo.ts"
import { UploadLookup } from "../../../src/sources/UploadLookup.ts"
import { Blobs, layerFileSystem } from "../../../src/storage/Blobs.ts"
import { TenantStorage } from "../../../src/usage/ledger/StorageQuota.ts"
import { makeMediaStages } from "../../../workers/media/MediaStages.ts"

const blob = { key: "uploads/ten_1/upl_1", size_bytes: 8_300_000, sha256: "0".repeat(64) }

/** Twelve hours of silence, as FLAC. */
const silence: Probe = {
  source: blob,
  demuxer: "flac",
  facts: {
    container: "flac",
    duration_seconds: 43_200,
    width: null,
    height: null,
    frame_rate: null,
    audio: "flac",
    video: null,
    size_bytes: blob.size_bytes,
    sha256: blob.sha256
  },
  video: null,
  has_audio: true,
  audio_streams: [{ index: 0, channels: 1, t_start: 0 }],
  caption_streams: []
}

const task = {
  job_id: "job_1" as const,
  tenant_id: "ten_1" as const,
  index: 0,
  attempt: 0,
  spec: {} as never,
  blobPrefix: "jobs/job_1/audio/0/0",
  progress: () => Effect.void
}

const store = Layer.unwrap(Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  return layerFileSystem(yield* fs.makeTempDirectoryScoped({ prefix: "footnote-room-" }))
}))

const services = Layer.mergeAll(
  store,
  Layer.succeed(UploadLookup, { find: () => Effect.succeedSome(blob) }),
  Layer.succeed(TenantStorage, () => Effect.succeed({ quota: 1_000_000_000, used: 8_300_000 }))
).pipe(Layer.provideMerge(NodeServices.layer))

describe("a tenant's storage quota in the media lane", () => {
  it.live("ends a job with STORAGE_QUOTA_EXCEEDED before sound is decoded that would not fit", () =>
    Effect.gen(function*() {
      const { audio } = yield* makeMediaStages()
      const failure = yield* Effect.flip(audio({ ...task, stage: "audio", input: { probe: silence } }))
      assert.deepInclude(failure, { code: "STORAGE_QUOTA_EXCEEDED", retryable: false })
      assert.include(failure.message, "keeps 8300000 bytes and may keep 1000000000")
      assert.lengthOf(yield* (yield* Blobs).list("jobs/job_1"), 0)
    }).pipe(Effect.provide(services)))

  it.live("is no hindrance to an upload that is kept already", () =>
    Effect.gen(function*() {
      const { fetch } = yield* makeMediaStages()
      const input = { source_uri: "upload://upl_01kaj3e5h8z9q0w1x2y3z4a5b6" }
      assert.deepStrictEqual((yield* fetch({ ...task, stage: "fetch", input })).source, blob)
    }).pipe(Effect.provide(services)))
})
