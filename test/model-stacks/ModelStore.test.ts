import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { isAbsolute } from "node:path"
import { ModelStore } from "../../src/model-stacks/ModelStore.ts"
import { commit, sha256 } from "./FakeHub.ts"
import { hubStack, makeStackFolder, withStore } from "./StackFolder.ts"

const revision = commit("first")
const weights = Uint8Array.from({ length: 10_000 }, (_, i) => i % 251)
const files = { "model.onnx": weights, "tokens.txt": new TextEncoder().encode("a 0\n") }

const resolve = (id: string) => Effect.flatMap(ModelStore, (store) => store.resolve(id))
const choose = (id?: string) => Effect.flatMap(ModelStore, (store) => Effect.map(store.choose(id), ({ id }) => id))

/** A stack `tiny` whose files are locked and here. */
const tiny = Effect.gen(function*() {
  const folder = yield* makeStackFolder
  folder.write(hubStack("tiny", 1, Object.keys(files)))
  folder.pin(revision, files)
  folder.place(revision, files)
  return { folder, model: folder.path(revision, "model.onnx"), options: folder.options() }
})

describe("resolving a stack", () => {
  it.effect("gives every file by absolute path with the hash that it was checked against", () =>
    Effect.gen(function*() {
      const { model, options } = yield* tiny
      const { id, roles } = yield* resolve("tiny").pipe(withStore(options))
      assert.strictEqual(id, "tiny")
      assert.strictEqual(roles.asr.files["model_onnx"], model)
      assert.strictEqual(roles.asr.sha256["model_onnx"], sha256(weights))
      assert.deepStrictEqual(roles.asr.options, { languages: ["en"] })
      assert.notProperty(roles, "asr_other")
    }))

  it.effect("tells what pins the files of a model, by its name with or without a hash behind it, each file once", () =>
    Effect.gen(function*() {
      const { options } = yield* tiny
      const pins = (role: string, name: string) =>
        Effect.flatMap(ModelStore, (store) => store.pins("tiny", role, name)).pipe(withStore(options))
      const locked = Object.entries(files).map(([path, bytes]) => ({
        name: `hub:footnote/tiny/${path}`,
        revision,
        sha256: sha256(bytes)
      }))
      assert.deepStrictEqual(yield* pins("asr", "tiny"), locked)
      assert.deepStrictEqual(yield* pins("asr", "tiny@0123456789ab"), locked)
      assert.deepStrictEqual(yield* pins("vad", "tiny"), [])
      assert.deepStrictEqual(yield* pins("asr", "tinyish"), [])
    }))

  it.effect("hashes the files of this repository, which nothing is locked to", () =>
    Effect.gen(function*() {
      const store = yield* ModelStore
      const speaker = yield* store.pins("builtin", "speaker", "footnote-speaker")
      const bytes = readFileSync(new URL("../../models/footnote-speaker.onnx", import.meta.url))
      assert.deepStrictEqual(speaker, [{
        name: "models/footnote-speaker.onnx",
        revision: null,
        sha256: sha256(bytes)
      }])
    }).pipe(Effect.provide(ModelStore.layer)))

  it.effect("gives the built-in stack, of files that are all here", () =>
    Effect.gen(function*() {
      const { roles } = yield* resolve("builtin")
      for (const { files } of Object.values(roles)) {
        for (const path of Object.values<string>(files)) assert.isTrue(isAbsolute(path) && existsSync(path), path)
      }
      assert.sameMembers(Object.keys(roles.asr.files), ["aligner", "decoder", "encoder", "letters"])
    }).pipe(Effect.provide(ModelStore.layer)))

  it.effect("hashes a file once: again only where its length, time or inode has changed", () =>
    Effect.gen(function*() {
      const { model, options } = yield* tiny
      yield* resolve("tiny").pipe(withStore(options))
      // The same inode, length and time, which no program leaves by accident: it shows that nothing was read.
      const { atime, mtime } = statSync(model)
      utimesSync(model, atime, mtime)
      yield* resolve("tiny").pipe(withStore(options))
      const before = statSync(model)
      writeFileSync(model, weights.toReversed())
      utimesSync(model, before.atime, before.mtime)
      yield* resolve("tiny").pipe(withStore(options))
      utimesSync(model, 1, 1)
      const error = yield* Effect.flip(resolve("tiny").pipe(withStore(options)))
      assert.strictEqual(error._tag, "ModelHashMismatch")
    }))

  it.effect("fails with ModelHashMismatch for other bytes, puts them aside, and then says that the file is missing", () =>
    Effect.gen(function*() {
      const { model, options } = yield* tiny
      writeFileSync(model, weights.toReversed())
      const error = yield* Effect.flip(resolve("tiny").pipe(withStore(options)))
      assert.strictEqual(error._tag, "ModelHashMismatch")
      assert.include(error.message, "npm run models -- fetch tiny")
      assert.isTrue(existsSync(`${model}.mismatched`))
      const again = yield* Effect.flip(resolve("tiny").pipe(withStore(options)))
      assert.strictEqual(again._tag, "ModelMissing")
      assert.include(again.message, "npm run models -- fetch tiny")
    }))

  it.effect("finds any one changed byte", () =>
    Effect.gen(function*() {
      const { folder, model, options } = yield* tiny
      const context = yield* Effect.context<never>()
      const property = fc.asyncProperty(
        fc.integer({ min: 0, max: weights.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, flip) => {
          const bytes = weights.slice()
          bytes[at]! ^= flip
          folder.place(revision, { "model.onnx": bytes })
          rmSync(`${model}.verified.json`, { force: true })
          const error = await Effect.runPromiseWith(context)(Effect.flip(resolve("tiny").pipe(withStore(options))))
          assert.strictEqual(error._tag, "ModelHashMismatch")
        }
      )
      yield* Effect.promise(() => fc.assert(property, { numRuns: 50 }))
    }))

  it.effect("fails with ModelUnreadable, not with a mismatch, for what cannot be read", () =>
    Effect.gen(function*() {
      const { model, options } = yield* tiny
      rmSync(model)
      mkdirSync(model)
      const error = yield* Effect.flip(resolve("tiny").pipe(withStore(options)))
      assert.strictEqual(error._tag, "ModelUnreadable")
      assert.include(error.message, "EISDIR")
    }))

  it.effect("fails with ModelUnlocked for a file that nobody pinned, though it is here", () =>
    Effect.gen(function*() {
      const { folder, options } = yield* tiny
      folder.pin(revision, { "model.onnx": weights })
      const error = yield* Effect.flip(resolve("tiny").pipe(withStore(options)))
      assert.strictEqual(error._tag, "ModelUnlocked")
      assert.include(error.message, "npm run models -- lock tiny")
    }))

  it.effect("fails with StackUnknown and names the stacks that there are", () =>
    Effect.gen(function*() {
      const { options } = yield* tiny
      const error = yield* Effect.flip(resolve("huge").pipe(withStore(options)))
      assert.strictEqual(error._tag, "StackUnknown")
      assert.include(error.message, "auto, tiny")
      const long = yield* Effect.flip(resolve(`a${"🎬".repeat(200)}`).pipe(withStore(options)))
      assert.isTrue(long.message.isWellFormed() && long.message.length < 200)
    }))
})

describe("choosing a stack", () => {
  it.effect("takes for auto the highest ranked whose files are all here, whichever are", () =>
    Effect.gen(function*() {
      const folder = yield* makeStackFolder
      const ids = ["one", "two", "three", "four"]
      for (const [rank, id] of ids.entries()) {
        folder.write(hubStack(id, rank, ["a.onnx", "b.onnx"], `footnote/${id}`))
        folder.pin(revision, { "a.onnx": weights, "b.onnx": weights }, `footnote/${id}`)
      }
      const context = yield* Effect.context<never>()
      const some = fc.array(fc.constantFrom("none", "half", "all"), { minLength: 4, maxLength: 4 })
      const property = fc.asyncProperty(some, async (here) => {
        rmSync(folder.store, { recursive: true, force: true })
        mkdirSync(folder.store)
        for (const [i, part] of here.entries()) {
          if (part !== "none") folder.place(revision, { "a.onnx": weights }, `footnote/${ids[i]}`)
          if (part === "all") folder.place(revision, { "b.onnx": weights }, `footnote/${ids[i]}`)
        }
        const best = ids.findLast((_, i) => here[i] === "all")
        const taken = await Effect.runPromiseWith(context)(
          Effect.option(choose("auto").pipe(withStore(folder.options())))
        )
        assert.strictEqual(taken._tag === "Some" ? taken.value : undefined, best)
      })
      yield* Effect.promise(() => fc.assert(property, { numRuns: 40 }))
    }))

  it.effect("looks at names and lengths only: what a file holds is told before it is loaded", () =>
    Effect.gen(function*() {
      const { folder, model, options } = yield* tiny
      writeFileSync(model, weights.toReversed())
      assert.strictEqual(yield* choose("tiny").pipe(withStore(options)), "tiny")
      assert.notInclude(folder.stored().join("\n"), "verified")
      writeFileSync(model, weights.subarray(1))
      const error = yield* Effect.flip(choose("tiny").pipe(withStore(options)))
      assert.strictEqual(error._tag, "ModelMissing")
    }))

  it.effect("sees what was fetched and locked meanwhile without a restart", () =>
    Effect.gen(function*() {
      const folder = yield* makeStackFolder
      folder.write(hubStack("tiny", 1, Object.keys(files)))
      yield* Effect.gen(function*() {
        assert.strictEqual((yield* Effect.flip(choose("tiny")))._tag, "ModelUnlocked")
        folder.pin(revision, files)
        assert.strictEqual((yield* Effect.flip(choose("tiny")))._tag, "ModelMissing")
        folder.place(revision, files)
        assert.strictEqual(yield* choose("tiny"), "tiny")
      }).pipe(withStore(folder.options()))
    }))

  it.effect("takes the deployment's default where none is asked for", () =>
    Effect.gen(function*() {
      const { folder } = yield* tiny
      folder.write(hubStack("best", 9, ["model.onnx"]))
      assert.strictEqual(yield* choose().pipe(withStore(folder.options())), "best")
      assert.strictEqual(yield* choose().pipe(withStore(folder.options(undefined, { default_stack: "tiny" }))), "tiny")
    }))

  it.effect("refuses to start with a default stack that there is none of", () =>
    Effect.gen(function*() {
      const { folder } = yield* tiny
      const error = yield* Effect.flip(choose().pipe(withStore(folder.options(undefined, { default_stack: "huge" }))))
      assert.strictEqual(error._tag, "StackFileInvalid")
      assert.include(error.message, "FOOTNOTE_MODEL_STACK")
    }))
})
