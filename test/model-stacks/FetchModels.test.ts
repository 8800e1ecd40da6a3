import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { type FetchProgress, fetchStack } from "../../src/model-stacks/FetchModels.ts"
import type { ModelStoreOptions } from "../../src/model-stacks/ModelStoreConfig.ts"
import { commit, makeFakeHub, type Rule } from "./FakeHub.ts"
import { hubStack, makeStackFolder, repository, withStore } from "./StackFolder.ts"

const revision = commit("first")
const weights = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 2654435761) >>> 13)
const tokens = new TextEncoder().encode("a 0\nb 1\n")
const files = { "onnx/model.onnx": weights, "tokens.txt": tokens }

/** A hub with the files, and a stack `tiny` that is locked to them. */
const tiny = Effect.gen(function*() {
  const hub = yield* makeFakeHub
  const folder = yield* makeStackFolder
  hub.put(repository, revision, files)
  folder.write(hubStack("tiny", 1, Object.keys(files)))
  folder.pin(revision, files)
  const states: Array<FetchProgress> = []
  const fetch = (more: Partial<ModelStoreOptions> = {}) =>
    fetchStack("tiny", (state) => {
      states.push(state)
      hub.arrived(state.received)
    }).pipe(withStore(folder.options(hub.base_url, more)))
  const model = folder.path(revision, "onnx/model.onnx")
  return { hub, folder, fetch, states, model }
})

const whole = (model: string) => assert.deepStrictEqual(new Uint8Array(readFileSync(model)), weights)

const left = (stored: ReadonlyArray<string>) => stored.filter((path) => path.includes(".partial"))

describe("fetching a stack", () => {
  it.live("brings every file whole, leaves nothing else, and tells how far it is", () =>
    Effect.gen(function*() {
      const { fetch, folder, hub, model, states } = yield* tiny
      assert.lengthOf(yield* fetch(), 2)
      whole(model)
      assert.deepStrictEqual(left(folder.stored()), [])
      const last = states.findLast(({ name }) => name.endsWith("model.onnx"))!
      assert.deepStrictEqual([last.received, last.total], [weights.length, weights.length])
      const before = hub.requests.length
      assert.lengthOf(yield* fetch(), 0)
      assert.lengthOf(hub.requests, before)
    }))

  it.live("asks only for what is missing after a connection broke", () =>
    Effect.gen(function*() {
      const { fetch, hub, model } = yield* tiny
      hub.rule("model.onnx", { kind: "cut", after: 100_000 }, { kind: "serve" })
      yield* fetch()
      whole(model)
      const [first, second] = hub.requests.filter(({ url }) => url.endsWith("model.onnx"))
      assert.isUndefined(first!.range)
      const from = Number(/^bytes=(\d+)-$/u.exec(second!.range ?? "")![1])
      assert.isAbove(from, 0)
      assert.isAtMost(from, 100_000)
      assert.match(second!.if_range!, /^"[0-9a-f]{32}"$/u)
      assert.strictEqual(second!.sent, weights.length - from)
    }))

  it.live("ends with the same bytes wherever connections break", () =>
    Effect.gen(function*() {
      const { fetch, folder, hub, model } = yield* tiny
      const cut = fc.integer({ min: 1, max: 120_000 }).map((after): Rule => ({ kind: "cut", after }))
      const run = (cuts: ReadonlyArray<Rule>) =>
        Effect.gen(function*() {
          hub.rule("model.onnx", ...cuts, { kind: "serve" })
          folder.place(revision, { "onnx/model.onnx": new Uint8Array(0) })
          yield* fetch()
          whole(model)
          assert.deepStrictEqual(left(folder.stored()), [])
        })
      const context = yield* Effect.context<never>()
      const property = fc.asyncProperty(fc.array(cut, { maxLength: 4 }), (cuts) =>
        Effect.runPromiseWith(context)(run(cuts)))
      yield* Effect.promise(() =>
        fc.assert(property, { numRuns: 25 })
      )
    }))

  it.live("goes on where an earlier try was given up", () =>
    Effect.gen(function*() {
      const { fetch, folder, hub, model } = yield* tiny
      hub.rule("model.onnx", { kind: "cut", after: 200_000 }, { kind: "status", status: 503 })
      const error = yield* Effect.flip(fetch())
      assert.strictEqual(error._tag, "HubUnavailable")
      assert.isFalse(existsSync(model))
      assert.isNotEmpty(left(folder.stored()))
      hub.rule("model.onnx", { kind: "serve" })
      yield* fetch()
      whole(model)
      const last = hub.requests.findLast(({ url }) => url.endsWith("model.onnx"))!
      assert.match(last.range!, /^bytes=[1-9]\d*-$/u)
      assert.deepStrictEqual(left(folder.stored()), [])
    }))

  it.live("starts over where the hub's file has changed in between, and refuses it if it is not the locked one", () =>
    Effect.gen(function*() {
      const { fetch, folder, hub, model } = yield* tiny
      const other = weights.toReversed()
      hub.rule("model.onnx", { kind: "cut", after: 90_000 }, { kind: "bytes", bytes: other })
      const error = yield* Effect.flip(fetch())
      assert.strictEqual(error._tag, "ModelHashMismatch")
      assert.isFalse(existsSync(model))
      assert.deepStrictEqual(left(folder.stored()).filter((path) => path.endsWith("/etag")), [])
      const asked = hub.requests.filter(({ url }) => url.endsWith("model.onnx"))
      assert.isDefined(asked[1]!.if_range)
      assert.strictEqual(asked[1]!.sent, other.length)
      hub.rule("model.onnx", { kind: "serve" })
      yield* fetch()
      whole(model)
    }))

  it.live("fetches the whole file once more where what was left of it is damaged", () =>
    Effect.gen(function*() {
      const { fetch, hub, model } = yield* tiny
      hub.rule("model.onnx", { kind: "cut", after: 150_000 }, { kind: "status", status: 503 })
      yield* Effect.flip(fetch())
      const bytes = readFileSync(`${model}.partial/bytes`)
      bytes[17] = bytes[17]! ^ 1
      writeFileSync(`${model}.partial/bytes`, bytes)
      hub.rule("model.onnx", { kind: "serve" })
      yield* fetch()
      whole(model)
    }))

  it.live("leaves the name of the file free until its hash is the locked one", () =>
    Effect.gen(function*() {
      const { fetch, folder, hub, model } = yield* tiny
      hub.rule("model.onnx", { kind: "bytes", bytes: weights.toReversed() })
      const error = yield* Effect.flip(fetch())
      assert.strictEqual(error._tag, "ModelHashMismatch")
      assert.include(error.message, `hub:${repository}/onnx/model.onnx`)
      assert.isFalse(existsSync(model))
      assert.notInclude(folder.stored().join("\n"), "model.onnx.verified")
    }))

  it.live("puts a wrong file aside and fetches the right one", () =>
    Effect.gen(function*() {
      const { fetch, folder, model } = yield* tiny
      folder.place(revision, { "onnx/model.onnx": weights.toReversed() })
      yield* fetch()
      whole(model)
      assert.isTrue(existsSync(`${model}.mismatched`))
    }))

  it.live("follows redirects to other addresses, relative and absolute", () =>
    Effect.gen(function*() {
      const { fetch, hub, model } = yield* tiny
      const elsewhere = yield* makeFakeHub
      elsewhere.rule("/cdn/", { kind: "bytes", bytes: weights })
      hub.rule("/moved/", { kind: "redirect", location: `${elsewhere.base_url}/cdn/model?signature=1` })
      hub.rule("model.onnx", { kind: "redirect", location: "/moved/model" })
      yield* fetch()
      whole(model)
    }))

  const answers: ReadonlyArray<readonly [title: string, tag: string, ...rules: ReadonlyArray<Rule>]> = [
    ["404", "HubFileNotFound", { kind: "status", status: 404 }],
    ["401", "HubRefused", { kind: "status", status: 401 }],
    ["403", "HubRefused", { kind: "status", status: 403 }],
    ["429", "HubUnavailable", { kind: "status", status: 429 }],
    ["500", "HubUnavailable", { kind: "status", status: 500 }],
    ["a redirect to itself", "HubRefused", { kind: "redirect", location: "/footnote/tiny/model.onnx" }],
    ["a redirect to a file of this machine", "HubRefused", { kind: "redirect", location: "file:///etc/hostname" }],
    ["silence", "HubUnavailable", { kind: "stall", after: 0 }],
    ["silence within the body", "HubUnavailable", { kind: "stall", after: 1000 }, { kind: "stall", after: 0 }],
    ["connections that break before a byte", "HubUnavailable", { kind: "cut", after: 0 }],
    ["a longer file", "HubLengthWrong", { kind: "bytes", bytes: new Uint8Array(weights.length + 1) }],
    ["a shorter file", "HubLengthWrong", { kind: "bytes", bytes: new Uint8Array(5) }],
    ["a longer body of no told length", "HubLengthWrong", {
      kind: "bytes",
      bytes: new Uint8Array(weights.length * 3),
      chunked: true
    }],
    ["a shorter body of no told length", "HubLengthWrong", {
      kind: "bytes",
      bytes: new Uint8Array(5),
      chunked: true
    }]
  ]
  for (const [title, tag, ...rules] of answers) {
    it.live(`fails with ${tag} on ${title}, and no file appears`, () =>
      Effect.gen(function*() {
        const { fetch, folder, hub, model } = yield* tiny
        hub.rule("model.onnx", ...rules)
        const { hub: options } = folder.options(hub.base_url)
        // Only silence is given up on at once: a loaded machine may be slow to say anything else.
        const brief = rules.some(({ kind }) => kind === "stall") ? { body_ms: 50, headers_ms: 50 } : {}
        const error = yield* Effect.flip(fetch({ hub: { ...options, ...brief } }))
        assert.strictEqual(error._tag, tag)
        assert.isFalse(existsSync(model))
      }))
  }

  it.live("fails with HubUnavailable where nobody listens", () =>
    Effect.gen(function*() {
      const folder = yield* makeStackFolder
      folder.write(hubStack("tiny", 1, Object.keys(files)))
      folder.pin(revision, files)
      const error = yield* Effect.flip(
        fetchStack("tiny", () => {}).pipe(withStore(folder.options("http://127.0.0.1:1")))
      )
      assert.strictEqual(error._tag, "HubUnavailable")
      assert.include(error.message, "ECONNREFUSED")
    }))

  it.live("fails with ModelUnlocked before it opens a connection, and says what to run", () =>
    Effect.gen(function*() {
      const { fetch, folder, hub } = yield* tiny
      folder.pin(revision, { "tokens.txt": tokens })
      const error = yield* Effect.flip(fetch())
      assert.strictEqual(error._tag, "ModelUnlocked")
      assert.include(error.message, "npm run models -- lock tiny")
      assert.strictEqual(hub.connections(), 0)
    }))

  it.live("opens no connection when offline: a missing file is ModelsOffline, a complete stack is fine", () =>
    Effect.gen(function*() {
      const { fetch, folder, hub } = yield* tiny
      const error = yield* Effect.flip(fetch({ offline: true }))
      assert.strictEqual(error._tag, "ModelsOffline")
      folder.place(revision, files)
      assert.lengthOf(yield* fetch({ offline: true }), 0)
      assert.strictEqual(hub.connections(), 0)
    }))

  it.live.skipIf(!existsSync("/dev/full"))(
    "fails with ModelStoreFull on a full disk and keeps what has come",
    () =>
      Effect.gen(function*() {
        const { fetch, folder, model } = yield* tiny
        mkdirSync(`${model}.partial`, { recursive: true })
        symlinkSync("/dev/full", `${model}.partial/bytes`)
        const error = yield* Effect.flip(fetch())
        assert.strictEqual(error._tag, "ModelStoreFull")
        assert.isTrue(existsSync(`${model}.partial/etag`), folder.stored().join("\n"))
      })
  )

  it.live("fails with ModelStoreUnwritable where the store cannot be a folder", () =>
    Effect.gen(function*() {
      const { fetch, folder } = yield* tiny
      writeFileSync(`${folder.root}/occupied`, "")
      const error = yield* Effect.flip(fetch({ store: `${folder.root}/occupied/store` }))
      assert.strictEqual(error._tag, "ModelStoreUnwritable")
    }))

  it.live("gives everyone the whole file when many fetch at the same time", () =>
    Effect.gen(function*() {
      const { fetch, folder, hub, model } = yield* tiny
      hub.rule(
        "model.onnx",
        ...Array.from({ length: 6 }, (_, i): Rule => ({ kind: "cut", after: 40_000 * (i + 1) })),
        { kind: "serve" }
      )
      yield* Effect.forEach(Array.from({ length: 8 }), () => fetch(), { concurrency: "unbounded", discard: true })
      whole(model)
      assert.deepStrictEqual(left(folder.stored()), [])
    }))
})
