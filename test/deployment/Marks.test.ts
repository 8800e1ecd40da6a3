import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { checkBlobStore } from "../../src/deployment/BlobStoreMark.ts"
import { checkClock, skewBetween } from "../../src/deployment/ClockSkew.ts"
import { checkEncryptionKey, markEncryptionKey } from "../../src/deployment/KeyMark.ts"
import { checkModelStacks, markModelStacks } from "../../src/deployment/ModelMark.ts"
import { ModelStore } from "../../src/model-stacks/ModelStore.ts"
import { layerBlobStore } from "../../src/storage/BlobStore.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

/** As a process with these variables sees the deployment. */
const process = (env: Readonly<Record<string, string>>) => {
  const config = ConfigProvider.layer(ConfigProvider.fromUnknown(env))
  return Layer.merge(layerBlobStore, ModelStore.layer).pipe(
    Layer.provideMerge(config),
    Layer.provideMerge(NodeServices.layer)
  )
}

const key = (fill: number) => Buffer.alloc(32, fill).toString("base64")

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "footnote-marks-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

describe("the marks of a deployment", () => {
  it.live("tell a process whose blob store is another one, name both places and the cure, and let it be adopted", () =>
    Effect.gen(function*() {
      const [a, b] = [yield* folder, yield* folder]
      const [here, there] = [process({ BLOB_DIR: a }), process({ BLOB_DIR: b })]
      assert.isUndefined(yield* checkBlobStore("look").pipe(Effect.provide(here)), "nothing is marked yet")
      assert.isUndefined(yield* checkBlobStore().pipe(Effect.provide(here)))
      assert.isUndefined(yield* checkBlobStore().pipe(Effect.provide(here)), "the same store again")
      const differs = yield* checkBlobStore().pipe(Effect.provide(there))
      assert.strictEqual(differs?.code, "blob_store")
      assert.isTrue(differs?.stops)
      for (const words of [a, b, "BLOB_S3_BUCKET", "BLOB_DIR", "--adopt-blob-store"]) {
        assert.include(differs?.message, words)
      }
      assert.isUndefined(yield* checkBlobStore("adopt").pipe(Effect.provide(there)))
      assert.strictEqual((yield* checkBlobStore().pipe(Effect.provide(here)))?.code, "blob_store")
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)))

  it.live("tell a worker without the key that the API seals with, and let it pass once it has both", () =>
    Effect.gen(function*() {
      const data = yield* folder
      const sees = (keys: string) => process({ FOOTNOTE_ENCRYPTION_KEY: keys, FOOTNOTE_DATA: data })
      assert.isUndefined(yield* checkEncryptionKey.pipe(Effect.provide(sees(key(1)))), "no API has told its key")
      yield* markEncryptionKey.pipe(Effect.provide(sees(key(2))))
      const differs = yield* checkEncryptionKey.pipe(Effect.provide(sees(key(1))))
      assert.strictEqual(differs?.code, "encryption_key")
      assert.notInclude(differs?.message, key(1))
      assert.isUndefined(yield* checkEncryptionKey.pipe(Effect.provide(sees(`${key(1)},${key(2)}`))))
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)))

  it.live("tell a worker without the files of a stack that the API offers", () =>
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      const sees = process({ FOOTNOTE_DATA: yield* folder })
      yield* markModelStacks.pipe(Effect.provide(sees))
      assert.isUndefined(
        yield* checkModelStacks.pipe(Effect.provide(sees)),
        "what comes with the service is everywhere"
      )
      yield* sql`UPDATE footnote.deployment SET model_stacks = '["builtin", "standard"]'`
      const differs = yield* checkModelStacks.pipe(Effect.provide(sees))
      assert.strictEqual(differs?.code, "model_files")
      assert.include(differs?.message, "npm run models -- fetch standard")
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)))

  it.live("tell a clock that is more than a minute off, in either direction, and keep no worker from working for it", () =>
    Effect.gen(function*() {
      assert.isUndefined(yield* checkClock, "one machine has one clock")
      assert.isUndefined(skewBetween(1_000_000, 1_060_000))
      assert.include(skewBetween(1_000_000, 1_061_000)?.message, "61 s behind")
      const ahead = skewBetween(1_900_000, 1_000_000)
      assert.include(ahead?.message, "900 s ahead")
      assert.isFalse(ahead?.stops)
    }).pipe(Effect.provide(TestDatabase.layer)))
})
