import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { fetchStack } from "../../src/model-stacks/FetchModels.ts"
import { lockStacks } from "../../src/model-stacks/LockModels.ts"
import { ModelStore } from "../../src/model-stacks/ModelStore.ts"
import { commit, makeFakeHub, sha256 } from "./FakeHub.ts"
import { hubStack, makeStackFolder, repository, withStore } from "./StackFolder.ts"

const [first, second] = [commit("first"), commit("second")]
const bytes = (seed: number) => Uint8Array.from({ length: 5000 }, (_, i) => (i * seed) % 256)
const files = { "a.onnx": bytes(3), "b.onnx": bytes(5), "c.onnx": bytes(7) }

/** Two stacks that share a repository; nothing is locked. */
const two = Effect.gen(function*() {
  const hub = yield* makeFakeHub
  const folder = yield* makeStackFolder
  hub.put(repository, first, files)
  folder.write(hubStack("one", 1, ["a.onnx", "b.onnx"]), hubStack("two", 2, ["b.onnx", "c.onnx"]))
  const lock = (ids: ReadonlyArray<string>, update = false) =>
    Effect.flatMap(
      ModelStore,
      ({ stacks }) => lockStacks({ stacks: stacks.filter(({ id }) => ids.includes(id)), update, progress: () => {} })
    ).pipe(
      withStore(folder.options(hub.base_url))
    )
  const pins = () => JSON.parse(readFileSync(folder.lock, "utf8"))[`hub:${repository}`]
  return { hub, folder, lock, pins }
})

const pinned = (given: Readonly<Record<string, Uint8Array>>) =>
  Object.fromEntries(
    Object.entries(given).map(([path, bytes]) => [path, { sha256: sha256(bytes), size_bytes: bytes.length }])
  )

describe("locking", () => {
  it.live("pins the hub's commit and the hash and length of every file, which is then here", () =>
    Effect.gen(function*() {
      const { folder, hub, lock, pins } = yield* two
      assert.lengthOf((yield* lock(["one"])).pins, 2)
      const { "c.onnx": _, ...one } = files
      assert.deepStrictEqual(pins(), { revision: first, files: pinned(one) })
      const before = hub.requests.length
      yield* fetchStack("one", () => {}).pipe(withStore(folder.options(hub.base_url)))
      assert.lengthOf(hub.requests, before)
    }))

  it.live("asks nothing and changes no byte where everything is locked", () =>
    Effect.gen(function*() {
      const { folder, hub, lock } = yield* two
      yield* lock(["one", "two"])
      const [text, asked] = [readFileSync(folder.lock, "utf8"), hub.requests.length]
      hub.put(repository, second, { ...files, "a.onnx": bytes(11) })
      assert.deepStrictEqual(yield* lock(["one", "two"]), { pins: [], same: 3 })
      assert.strictEqual(readFileSync(folder.lock, "utf8"), text)
      assert.lengthOf(hub.requests, asked)
    }))

  it.live("adds another stack's files at the commit that the repository is locked to", () =>
    Effect.gen(function*() {
      const { hub, lock, pins } = yield* two
      yield* lock(["one"])
      yield* lock(["two"])
      assert.deepStrictEqual(pins(), { revision: first, files: pinned(files) })
      assert.lengthOf(hub.requests.filter(({ url }) => url.startsWith("/api/")), 1)
    }))

  it.live("moves to the newest commit only when told to update, and then for every stack", () =>
    Effect.gen(function*() {
      const { hub, lock, pins } = yield* two
      yield* lock(["one", "two"])
      const next = { ...files, "a.onnx": bytes(11) }
      hub.put(repository, second, next)
      assert.isNotEmpty((yield* lock(["one"], true)).pins)
      assert.deepStrictEqual(pins(), { revision: second, files: pinned(next) })
    }))

  it.live("refuses bytes of another hash than the hub itself names, and pins nothing", () =>
    Effect.gen(function*() {
      const { folder, hub, lock } = yield* two
      writeFileSync(folder.lock, "{}")
      hub.rule("b.onnx", { kind: "linked", sha256: sha256(files["a.onnx"]) })
      const error = yield* Effect.flip(lock(["one"]))
      assert.strictEqual(error._tag, "ModelHashMismatch")
      assert.strictEqual(readFileSync(folder.lock, "utf8"), "{}")
    }))

  it.live("fails with HubFileNotFound for a repository or a file that the hub has not, and pins nothing", () =>
    Effect.gen(function*() {
      const { folder, hub, lock } = yield* two
      writeFileSync(folder.lock, "{}")
      hub.put(repository, first, { "a.onnx": files["a.onnx"] })
      assert.strictEqual((yield* Effect.flip(lock(["one"])))._tag, "HubFileNotFound")
      folder.write(hubStack("one", 1, ["a.onnx"], "nobody/nothing"))
      assert.strictEqual((yield* Effect.flip(lock(["one"])))._tag, "HubFileNotFound")
      assert.strictEqual(readFileSync(folder.lock, "utf8"), "{}")
    }))

  it.live("compares what the hub gives at the pinned commit with shipped pins, and changes no byte where it is the same", () =>
    Effect.gen(function*() {
      const { folder, hub, lock } = yield* two
      folder.pin(first, files)
      const text = readFileSync(folder.lock, "utf8")
      assert.deepStrictEqual(yield* lock(["one"]), { pins: [], same: 2 })
      assert.strictEqual(readFileSync(folder.lock, "utf8"), text)
      // The pins name the commit: the hub is not asked for another.
      assert.lengthOf(hub.requests.filter(({ url }) => url.startsWith("/api/")), 0)
    }))

  it.live("refuses what differs from its pin, in its bytes or its length, and changes no pin", () =>
    Effect.gen(function*() {
      for (const other of [bytes(11), bytes(3).subarray(1)]) {
        const { folder, hub, lock } = yield* two
        folder.pin(first, files)
        const text = readFileSync(folder.lock, "utf8")
        hub.put(repository, first, { ...files, "a.onnx": other })
        const { _tag, message } = yield* Effect.flip(lock(["one"]))
        assert.include(["ModelHashMismatch", "HubLengthWrong"], _tag)
        assert.include(message, "a.onnx")
        assert.strictEqual(readFileSync(folder.lock, "utf8"), text)
        assert.notInclude(folder.stored().join(), "a.onnx.verified")
      }
    }))

  it.live("pins what has no pin beside what has one, at the commit of the others", () =>
    Effect.gen(function*() {
      const { folder, lock, pins } = yield* two
      const { "a.onnx": a } = files
      folder.pin(first, { "a.onnx": a })
      const { pins: added, same } = yield* lock(["one"])
      assert.deepStrictEqual([added.map(({ name }) => name), same], [[`hub:${repository}/b.onnx`], 1])
      assert.deepStrictEqual(Object.keys(pins().files), ["a.onnx", "b.onnx"])
    }))

  it.live("keeps what others have locked", () =>
    Effect.gen(function*() {
      const { folder, lock } = yield* two
      folder.pin(first, { "x.onnx": bytes(13) }, "footnote/other")
      yield* lock(["one"])
      const written = JSON.parse(readFileSync(folder.lock, "utf8"))
      assert.deepStrictEqual(Object.keys(written), ["hub:footnote/other", `hub:${repository}`])
    }))

  it.live("fails with StackFileInvalid for a lock file that is none, instead of locking anew", () =>
    Effect.gen(function*() {
      const { folder, lock } = yield* two
      for (const text of ["<<<<<<<", "[]", `{ "hub:${repository}": { "revision": "../..", "files": {} } }`]) {
        writeFileSync(folder.lock, text)
        assert.strictEqual((yield* Effect.flip(lock(["one"])))._tag, "StackFileInvalid", text)
      }
    }))
})
