import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as fc from "fast-check"
import { readFileSync, writeFileSync } from "node:fs"
import { originOf, readLock } from "../../src/model-stacks/ModelLock.ts"
import { ModelFile } from "../../src/model-stacks/ModelStack.ts"
import { ModelStore } from "../../src/model-stacks/ModelStore.ts"
import { filesOf, readStacks } from "../../src/model-stacks/StackFiles.ts"
import { hubStack, makeStackFolder } from "./StackFolder.ts"

describe("the shipped stacks", () => {
  it.effect("are builtin, standard and accurate in that rank, and each says what it falls back to", () =>
    Effect.gen(function*() {
      const { stacks } = yield* ModelStore
      assert.deepStrictEqual(stacks.map(({ id }) => id), ["builtin", "standard", "accurate"])
      const builtin = stacks[0]!
      for (const { id, roles } of stacks.slice(1)) {
        for (const role of ["vad", "asr", "speaker", "ocr", "describe"] as const) {
          if (roles[role].name === builtin.roles[role].name) assert.isDefined(roles[role].note, `${id} ${role}`)
        }
      }
    }).pipe(Effect.provide(ModelStore.layer)))

  it.effect("take from npm what models/lock.json pins, and from this repository what is in it", () =>
    Effect.gen(function*() {
      const store = yield* ModelStore
      for (const stack of store.stacks) {
        const { files } = yield* store.inspect(stack)
        for (const file of files.filter(({ file }) => !("hub" in file))) yield* store.verify(file, stack.id)
      }
      assert.strictEqual((yield* store.inspect(store.stacks[0]!)).ready, true)
    }).pipe(Effect.provide(ModelStore.layer)))

  it.effect("are pinned, so that each is fetched without being locked first", () =>
    Effect.gen(function*() {
      const store = yield* ModelStore
      const unpinned = yield* Effect.forEach(
        store.stacks,
        (stack) =>
          Effect.map(
            store.inspect(stack),
            ({ files }) => files.filter(({ state }) => state === "unlocked").map(({ name }) => name)
          )
      )
      assert.deepStrictEqual(unpinned, [[], [], []])
    }).pipe(Effect.provide(ModelStore.layer)))

  it.effect("name where each pin is from", () =>
    Effect.gen(function*() {
      const store = yield* ModelStore
      const table = readFileSync(`${store.options.stacks}/SOURCES.md`, "utf8")
      for (const [origin, { revision }] of Object.entries(yield* readLock(store.options.lock))) {
        assert.match(table, new RegExp(`^\\| \`${origin}\` \\| \`${revision.slice(0, 12)}\` `, "mu"))
      }
    }).pipe(Effect.provide(ModelStore.layer)))

  it.effect("have no pins left over from files that no stack takes", () =>
    Effect.gen(function*() {
      const store = yield* ModelStore
      const used = store.stacks.flatMap(filesOf).flatMap((file) =>
        "repository" in file ? [] : [`${originOf(file)} ${file.path}`]
      )
      for (const [origin, { files }] of Object.entries(yield* readLock(store.options.lock))) {
        for (const path of Object.keys(files)) assert.include(used, `${origin} ${path}`)
      }
    }).pipe(Effect.provide(ModelStore.layer)))
})

describe("a stack file", () => {
  const refused: ReadonlyArray<readonly [title: string, name: string, text: string]> = [
    ["that is no JSON", "a.json", "{"],
    ["under another name than its id", "b.json", JSON.stringify(hubStack("a", 1, ["m.onnx"]))],
    ["called auto", "auto.json", JSON.stringify({ ...hubStack("a", 1, []), id: "auto" })],
    ["with a member that nothing reads", "a.json", JSON.stringify({ ...hubStack("a", 1, []), sha256: "0" })],
    ["without a rank", "a.json", JSON.stringify({ ...hubStack("a", 1, []), rank: undefined })],
    ["that leads out of the store", "a.json", JSON.stringify(hubStack("a", 1, ["../../etc/passwd"]))]
  ]
  for (const [title, name, text] of refused) {
    it.effect(`${title} is refused by its name`, () =>
      Effect.gen(function*() {
        const { stacks } = yield* makeStackFolder
        writeFileSync(`${stacks}/${name}`, text)
        const error = yield* Effect.flip(readStacks(stacks))
        assert.strictEqual(error._tag, "StackFileInvalid")
        assert.include(error.message, name)
      }))
  }

  it("never leads out of the folder that it is looked up in", () => {
    const accepts = Schema.is(ModelFile)
    const segment = fc.constantFrom("..", ".", "", "a", "b.onnx", "/etc", "\\", "a..b", "\u0000")
    fc.assert(fc.property(fc.array(segment, { maxLength: 5 }), (segments) => {
      const path = segments.join("/")
      if (!accepts({ repository: path })) return
      assert.isFalse(path.startsWith("/"))
      assert.notIncludeMembers(path.split("/"), ["..", ".", ""])
    }))
  })
})
