import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem, Layer } from "effect"
import { createHash } from "node:crypto"
import { makeAddressPolicy } from "../../../src/egress/AddressPolicy.ts"
import type { TenantId } from "../../../src/identity/Id.ts"
import { s3PolicyConfig } from "../../../src/sources/S3Policy.ts"
import { UploadLookup } from "../../../src/sources/UploadLookup.ts"
import { Blobs, layerFileSystem } from "../../../src/storage/Blobs.ts"
import { openS3, s3Library } from "../../../src/storage/S3.ts"
import { defaultLimits } from "../../../workers/media/ffmpeg/MediaLimits.ts"
import { makeFetch } from "../../../workers/media/source/FetchStage.ts"
import { S3Server } from "../../support/S3Server.ts"

const noUploads = Layer.succeed(UploadLookup, { find: () => Effect.succeedNone })

const FolderBlobs = Layer.unwrap(Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  return layerFileSystem(yield* fs.makeTempDirectoryScoped())
}))

const Services = Layer.mergeAll(S3Server.layer, FolderBlobs, noUploads).pipe(Layer.provideMerge(NodeServices.layer))

const fetchOf = Effect.fnUntraced(function*(env: Record<string, string>) {
  const s3 = yield* s3PolicyConfig.parse(ConfigProvider.fromEnv({ env }))
  const fetch = yield* makeFetch(makeAddressPolicy(), s3, { ...defaultLimits, max_bytes: 1e6 })
  return (source_uri: string, tenant_id: TenantId = "ten_a") =>
    fetch({
      job_id: "job_a" as const,
      tenant_id,
      stage: "fetch",
      index: 0,
      attempt: 0,
      spec: undefined as never,
      blobPrefix: "jobs/job_a/fetch/0/0",
      progress: () => Effect.void,
      input: { source_uri }
    })
})

const env = (port: number) => ({
  SOURCE_S3_BUCKETS: "clips/{tenant}/",
  SOURCE_S3_ENDPOINT: `http://127.0.0.1:${port}`,
  SOURCE_S3_ACCESS_KEY_ID: "S3RVER",
  SOURCE_S3_SECRET_ACCESS_KEY: "S3RVER"
})

layer(Services, { excludeTestServices: true })("fetch from s3", (it) => {
  it.effect("brings an object into a blob of exactly its bytes, and never one of another tenant", () =>
    Effect.gen(function*() {
      const { connection, port } = yield* S3Server
      const { PutObjectCommand } = yield* s3Library
      const client = yield* openS3(connection, { connect_ms: 10_000, idle_ms: 10_000 })
      const bytes = Buffer.alloc(300_000, 7)
      bytes.write("RIFF\0\0\0\0WAVEfmt ", 0, "latin1")
      yield* Effect.promise(() =>
        client.send(new PutObjectCommand({ Bucket: "clips", Key: "ten_a/talk.wav", Body: bytes }))
      )
      const fetch = yield* fetchOf(env(port))
      const { source } = yield* fetch("s3://clips/ten_a/talk.wav")
      assert.deepStrictEqual(source, {
        key: "jobs/job_a/fetch/0/0/source",
        size_bytes: 300_000,
        sha256: createHash("sha256").update(bytes).digest("hex")
      })
      const { get } = yield* Blobs
      assert.isTrue(bytes.equals(yield* get(source.key)))
      assert.deepInclude(yield* Effect.flip(fetch("s3://clips/ten_a/talk.wav", "ten_b")), {
        code: "SOURCE_BLOCKED",
        retryable: false
      })
      assert.strictEqual((yield* Effect.flip(fetch("s3://clips/ten_a/absent.wav"))).code, "SOURCE_UNREACHABLE")
    }))

  it.effect("says what to configure where no bucket is named", () =>
    Effect.gen(function*() {
      const fetch = yield* fetchOf({})
      const failure = yield* Effect.flip(fetch("s3://clips/ten_a/talk.wav"))
      assert.deepInclude(failure, { code: "SOURCE_BLOCKED", retryable: false })
      assert.include(failure.message, "SOURCE_S3_BUCKETS")
    }))
})
