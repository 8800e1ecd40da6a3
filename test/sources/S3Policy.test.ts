import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Option, Redacted } from "effect"
import type { TenantId } from "../../src/identity/Id.ts"
import { forbiddenObject, s3PolicyConfig } from "../../src/sources/S3Policy.ts"

const policyOf = (env: Record<string, string>) => s3PolicyConfig.parse(ConfigProvider.fromEnv({ env }))

const allowed = (places: string, tenant: TenantId, uri: string, more: Record<string, string> = {}) =>
  Effect.map(policyOf({ SOURCE_S3_BUCKETS: places, ...more }), (policy) => {
    const [, bucket, key] = /^([^/]+)\/(.+)$/u.exec(uri)!
    return forbiddenObject(policy, tenant, { bucket: bucket!, key: key! }) === undefined
  })

describe("forbiddenObject", () => {
  it.effect("lets no job read from S3 until a bucket is named, and says by which variable", () =>
    Effect.gen(function*() {
      for (const env of [{}, { SOURCE_S3_BUCKETS: "", SOURCE_S3_ENDPOINT: "" }]) {
        const none = yield* policyOf(env)
        assert.isTrue(Option.isNone(none))
        assert.include(forbiddenObject(none, "ten_a", { bucket: "clips", key: "a" }), "SOURCE_S3_BUCKETS")
      }
    }))

  it.effect("lets jobs read below the named places only", () =>
    Effect.gen(function*() {
      const cases = [
        ["clips", "clips/any/thing.mp4", true],
        ["clips", "clips2/a.mp4", false],
        ["clips, talks/public/", "talks/public/a.mp4", true],
        ["clips, talks/public/", "talks/publicity.mp4", false],
        ["clips, talks/public/", "clips/a.mp4", true],
        ["*", "whatever/a.mp4", true]
      ] as const
      for (const [places, uri, expected] of cases) {
        assert.strictEqual(yield* allowed(places, "ten_a", uri), expected, `${places} ${uri}`)
      }
    }))

  it.effect("keeps each tenant in its own part of a bucket where the place names the tenant", () =>
    Effect.gen(function*() {
      assert.isTrue(yield* allowed("clips/{tenant}/", "ten_a", "clips/ten_a/a.mp4"))
      assert.isFalse(yield* allowed("clips/{tenant}/", "ten_a", "clips/ten_b/a.mp4"))
      assert.isFalse(yield* allowed("clips/{tenant}/", "ten_a", "clips/{tenant}/a.mp4"))
    }))

  it.effect("never takes the bucket of everybody's blobs for a source", () =>
    Effect.gen(function*() {
      assert.isFalse(yield* allowed("*", "ten_a", "blobs/jobs/a", { BLOB_S3_BUCKET: "blobs" }))
      assert.isFalse(yield* allowed("blobs", "ten_a", "blobs/jobs/a", { BLOB_S3_BUCKET: "blobs" }))
    }))
})

describe("s3PolicyConfig", () => {
  it.effect("asks AWS by region with what the SDK finds, or another service by path with the keys given", () =>
    Effect.gen(function*() {
      const bare = Option.getOrThrow(yield* policyOf({ SOURCE_S3_BUCKETS: "clips" }))
      assert.deepStrictEqual(bare.connection, {
        endpoint: undefined,
        region: "us-east-1",
        path_style: false,
        credentials: undefined
      })
      const { connection } = Option.getOrThrow(
        yield* policyOf({
          SOURCE_S3_BUCKETS: "clips",
          SOURCE_S3_ENDPOINT: "http://127.0.0.1:9000",
          SOURCE_S3_REGION: "eu-north-1",
          SOURCE_S3_ACCESS_KEY_ID: "id",
          SOURCE_S3_SECRET_ACCESS_KEY: "hidden"
        })
      )
      assert.deepInclude(connection, { endpoint: "http://127.0.0.1:9000", region: "eu-north-1", path_style: true })
      assert.strictEqual(Redacted.value(connection.credentials!.secret_access_key), "hidden")
      assert.notInclude(JSON.stringify(connection), "hidden")
    }))

  it.effect("names the variable that cannot be used", () =>
    Effect.gen(function*() {
      const cases = [
        [{ SOURCE_S3_BUCKETS: "Clips!" }, "SOURCE_S3_BUCKETS"],
        [{ SOURCE_S3_ENDPOINT: "ftp://a" }, "SOURCE_S3_ENDPOINT"],
        [{ SOURCE_S3_ACCESS_KEY_ID: "id" }, "SOURCE_S3_SECRET_ACCESS_KEY"]
      ] as const
      for (const [env, name] of cases) assert.include((yield* Effect.flip(policyOf(env))).message, name)
    }))
})
