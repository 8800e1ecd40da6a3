import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { openS3, s3Library } from "../../src/storage/S3.ts"
import { findMediaTools } from "../../workers/media/ffmpeg/Ffmpeg.ts"
import { flags } from "../../workers/media/ffmpeg/InputArguments.ts"
import { artifactsOf, deployment, finished, submit } from "../support/Deployment.ts"
import { S3Server } from "../support/S3Server.ts"

const sample = fileURLToPath(new URL("../../samples/lecture.mp4", import.meta.url))

const s3 = (prefix: string, port: number) => ({
  [`${prefix}_ENDPOINT`]: `http://127.0.0.1:${port}`,
  [`${prefix}_ACCESS_KEY_ID`]: "S3RVER",
  [`${prefix}_SECRET_ACCESS_KEY`]: "S3RVER"
})

const erase = async (base_url: string, api_key: string, id: string): Promise<number> => {
  const call = { method: "DELETE", headers: { authorization: `Bearer ${api_key}` } }
  return (await fetch(`${base_url}/v1/jobs/${id}`, call)).status
}

describe("a deployment on S3", () => {
  it.live(
    "makes of an s3:// source, with its blobs in a bucket, what it makes of an upload, and erases all of it",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const { connection, port } = yield* S3Server
        const { api_key, base_url, client, folder } = yield* deployment({
          env: {
            SOURCE_S3_BUCKETS: "clips",
            ...s3("SOURCE_S3", port),
            BLOB_S3_BUCKET: "blobs",
            ...s3("BLOB_S3", port)
          }
        })
        const { ffmpeg } = yield* findMediaTools
        const clip = join(folder, "clip.mp4")
        const { status, stderr } = spawnSync(ffmpeg, [
          "-v",
          "error",
          "-t",
          "8",
          "-i",
          sample,
          ...flags("-c copy"),
          clip
        ])
        assert.strictEqual(status, 0, String(stderr))

        const library = yield* s3Library
        const bucket = yield* openS3(connection, { connect_ms: 10_000, idle_ms: 10_000 })
        yield* Effect.promise(() =>
          bucket.send(new library.PutObjectCommand({ Bucket: "clips", Key: "talk one.mp4", Body: readFileSync(clip) }))
        )
        const keys = Effect.map(
          Effect.promise(() => bucket.send(new library.ListObjectsV2Command({ Bucket: "blobs" }))),
          ({ Contents = [] }) => Contents.map(({ Key }) => Key!)
        )

        const given = yield* finished(client, (yield* submit(client, clip, {})).id)
        const named = yield* client.createJob({ source_uri: "s3://clips/talk one.mp4", precision: "balanced" }).pipe(
          Effect.flatMap(({ id }) => finished(client, id))
        )
        assert.strictEqual(named.status, "succeeded", JSON.stringify(named.error))
        assert.deepStrictEqual(yield* artifactsOf(client, named), yield* artifactsOf(client, given))
        const below = `jobs/${named.id}/`
        assert.isTrue((yield* keys).some((key) => key.startsWith(below)))
        assert.isTrue((yield* keys).some((key) => key.startsWith("uploads/")))

        assert.strictEqual(yield* Effect.promise(() => erase(base_url, api_key, named.id)), 200)
        assert.deepStrictEqual((yield* keys).filter((key) => key.startsWith(below)), [])

        const blocked = yield* Effect.flip(client.createJob({ source_uri: "s3://blobs/any" }))
        assert.include(blocked.message, "SOURCE_BLOCKED")
      })).pipe(Effect.provide(S3Server.layer)),
    300_000
  )
})
