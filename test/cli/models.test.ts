import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Console, Effect } from "effect"
import { spawn } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { runModels, StatusLine } from "../../src/cli/ModelsCommand.ts"
import { modelStoreConfig, type ModelStoreOptions } from "../../src/model-stacks/ModelStoreConfig.ts"
import { commit, makeFakeHub, sha256 } from "../model-stacks/FakeHub.ts"
import { hubStack, makeStackFolder, repository, withStore } from "../model-stacks/StackFolder.ts"

const entry = fileURLToPath(new URL("../../src/cli/models.ts", import.meta.url))
const revision = commit("first")
const weights = Uint8Array.from({ length: 200_000 }, (_, i) => (i * 2654435761) >>> 13)

/** The command against a hub and a folder of its own, in this process or as a user starts it. */
const setup = Effect.gen(function*() {
  const hub = yield* makeFakeHub
  const folder = yield* makeStackFolder
  hub.put(repository, revision, { "model.onnx": weights })
  folder.write(hubStack("tiny", 1, ["model.onnx"]), hubStack("huge", 2, ["model.onnx", "more.onnx"], "footnote/huge"))

  const models = (words: ReadonlyArray<string>, more: Partial<ModelStoreOptions> = {}) =>
    Effect.gen(function*() {
      const [out, err]: [Array<string>, Array<string>] = [[], []]
      const heard: Console.Console = Object.assign(Object.create(console), {
        log: (line: string) => void out.push(line),
        error: (line: string) => void err.push(line)
      })
      const failure = yield* runModels(words).pipe(
        withStore(folder.options(hub.base_url, more)),
        Effect.provide(NodeServices.layer),
        Effect.provideService(Console.Console, heard),
        Effect.provideService(StatusLine, { draw: () => {}, clear: () => {} }),
        Effect.match({ onFailure: ({ message }) => message, onSuccess: () => undefined })
      )
      return { out: out.join("\n"), err: err.join("\n"), failure }
    })

  const start = (words: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) => {
    const child = spawn(process.execPath, [entry, ...words], {
      env: {
        FOOTNOTE_MODEL_HUB: hub.base_url,
        FOOTNOTE_MODEL_DIR: folder.store,
        FOOTNOTE_MODEL_STACKS: folder.stacks,
        ...env
      }
    })
    let [out, err] = ["", ""]
    child.stdout.on("data", (chunk) => out += chunk)
    child.stderr.on("data", (chunk) => err += chunk)
    const done = Effect.callback<{ readonly code: number | null; readonly out: string; readonly err: string }>((
      resume
    ) => void child.once("close", (code) => resume(Effect.succeed({ code, out, err }))))
    return { child, done }
  }
  return { hub, folder, start, models, model: folder.path(revision, "model.onnx") }
})

describe("npm run models", () => {
  it.live("goes from an empty folder to a verified stack by list, lock, fetch and verify", () =>
    Effect.gen(function*() {
      const { folder, model, models } = yield* setup
      const empty = yield* models(["list"])
      assert.match(empty.out, /^tiny +1 +.*not locked: npm run models -- lock tiny$/mu)
      assert.include(empty.out, "auto takes none")

      const locked = yield* models(["lock", "tiny"])
      assert.include(locked.out, sha256(weights))
      assert.include(locked.out, revision)
      assert.match((yield* models(["lock", "tiny"])).out, /^1 file has the very bytes .*\nNothing new to lock\.$/u)

      assert.include((yield* models(["fetch", "tiny", "--with", "reader"])).failure, "tiny, which has none")
      const elsewhere = { store: `${folder.root}/elsewhere` }
      assert.match((yield* models(["list"], elsewhere)).out, /^tiny .*not fetched: npm run models -- fetch tiny$/mu)
      const fetched = yield* models(["fetch", "tiny"], elsewhere)
      assert.match(fetched.out, /^1 file to fetch, 0\.2 MB\. The service on tiny needs about [\d.]+ GB of memory/u)
      assert.include(fetched.out, "tiny is ready")
      assert.include((yield* models(["fetch", "tiny"], elsewhere)).out, "Every file of tiny is here")

      const listed = yield* models(["list"])
      assert.match(listed.out, /^tiny +1 +0\.2 MB +ready$/mu)
      assert.include(listed.out, "auto takes tiny")
      assert.match((yield* models(["list", "tiny"])).out, /model\.onnx +0\.2 MB +ready$/mu)

      assert.isUndefined((yield* models(["verify", "tiny"])).failure)
      // What was never fetched is a fault only where it is asked for by name.
      assert.isUndefined((yield* models(["verify"])).failure)
      assert.include((yield* models(["verify", "huge"])).failure, "2 of 2 files are not right")
      writeFileSync(model, weights.toReversed())
      const wrong = yield* models(["verify", "tiny"])
      assert.include(wrong.failure, "1 of 1 files are not right")
      assert.include(wrong.err, "npm run models -- fetch tiny")
      assert.isTrue(existsSync(`${model}.mismatched`))
    }))

  it.live("fails with one sentence that says what to do", () =>
    Effect.gen(function*() {
      const { hub, models } = yield* setup
      assert.include((yield* models(["fetch", "tiny"])).failure, "npm run models -- lock tiny")
      assert.include((yield* models(["fetch", "none"])).failure, "auto, tiny, huge")
      assert.include((yield* models(["lock", "tiny"], { offline: true })).failure, "FOOTNOTE_MODELS_OFFLINE")
      assert.lengthOf(hub.requests, 0)
      assert.include((yield* models(["lock", "huge"])).failure, "The hub has no")
    }))

  it.live("tries a stack only where it is here, and a file only where there is one", () =>
    Effect.gen(function*() {
      const { folder, models } = yield* setup
      assert.include((yield* models(["try", "none", "a.mp4"])).failure, "auto, tiny, huge")
      assert.include((yield* models(["try", "tiny", "a.mp4"])).failure, "npm run models -- lock tiny")
      folder.pin(revision, { "model.onnx": weights })
      assert.include((yield* models(["try", "tiny", "a.mp4"])).failure, "npm run models -- fetch tiny")
      yield* models(["fetch", "tiny"])
      assert.strictEqual((yield* models(["try", "tiny", "/nowhere/a.mp4"])).failure, "There is no file /nowhere/a.mp4")
    }))

  it.live("names every variable that it cannot use", () =>
    Effect.gen(function*() {
      const wrong = [
        ["FOOTNOTE_MODEL_HUB", "hub"],
        ["FOOTNOTE_MODEL_HUB", "https://name@example.com"],
        ["FOOTNOTE_MODELS_OFFLINE", "perhaps"]
      ] as const
      for (const [name, value] of wrong) {
        const provider = ConfigProvider.fromUnknown({ [name]: value })
        const error = yield* Effect.flip(Effect.provide(modelStoreConfig, ConfigProvider.layer(provider)))
        assert.include(error.message, name)
      }
    }))

  it.live("ends with 0, or with 1 and a sentence instead of a trace", () =>
    Effect.gen(function*() {
      const { start } = yield* setup
      const [help, unlocked, nonsense] = yield* Effect.all(
        [start(["--help"]).done, start(["fetch", "tiny"]).done, start(["polish"]).done],
        { concurrency: "unbounded" }
      )
      assert.strictEqual(help.code, 0)
      for (const name of ["list", "lock", "fetch", "verify", "try"]) {
        assert.match(help.out, new RegExp(`^ +${name} +[A-Z]`, "mu"))
      }
      assert.strictEqual(unlocked.code, 1)
      assert.match(unlocked.err, /^The model stack tiny .*npm run models -- lock tiny.*\n$/u)
      assert.strictEqual(unlocked.out, "")
      assert.strictEqual(nonsense.code, 1)
    }))

  for (const signal of ["SIGKILL", "SIGINT"] as const) {
    it.live(`goes on after ${signal} in the middle of a file`, () =>
      Effect.gen(function*() {
        const { folder, hub, model, models, start } = yield* setup
        folder.pin(revision, { "model.onnx": weights })
        hub.rule("model.onnx", { kind: "stall", after: 120_000 }, { kind: "serve" })
        const { child, done } = start(["fetch", "tiny"])
        yield* Effect.promise(() => hub.stalled)
        // The bytes are on their way: wait until the first of them are on the disk.
        yield* Effect.suspend(() =>
          folder.stored().some((path) => path.endsWith("/bytes") && readFileSync(`${folder.store}/${path}`).length > 0)
            ? Effect.void
            : Effect.fail("not yet")
        ).pipe(Effect.eventually)
        child.kill(signal)
        yield* done
        assert.isFalse(existsSync(model))
        assert.isUndefined((yield* models(["fetch", "tiny"])).failure)
        assert.deepStrictEqual(new Uint8Array(readFileSync(model)), weights)
        assert.match(hub.requests.at(-1)!.range ?? "", /^bytes=[1-9]\d*-$/u)
        assert.deepStrictEqual(folder.stored().filter((path) => path.includes(".partial")), [])
      }))
  }

  it.live("gives several processes that fetch at the same time the whole file each", () =>
    Effect.gen(function*() {
      const { folder, hub, model, start } = yield* setup
      folder.pin(revision, { "model.onnx": weights })
      hub.rule("model.onnx", { kind: "cut", after: 0 }, { kind: "cut", after: 0 }, { kind: "serve" })
      const answers = yield* Effect.forEach([1, 2, 3], () => start(["fetch", "tiny"]).done, {
        concurrency: "unbounded"
      })
      for (const { code, err } of answers) assert.strictEqual(code, 0, err)
      assert.deepStrictEqual(new Uint8Array(readFileSync(model)), weights)
      assert.deepStrictEqual(folder.stored().filter((path) => path.includes(".partial")), [])
    }))
})
