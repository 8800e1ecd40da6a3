import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import type { ResolvedModel } from "../../../../src/model-stacks/ResolvedStack.ts"
import { openEmbeddingOf, openRecogniserOf, openVadOf } from "../../../../workers/speech/drivers/SpeechDrivers.ts"
import { writeToyCtc, writeToySpeaker, writeToyTransducer, writeToyWhisper } from "./ToyModels.ts"

const folder = mkdtempSync(join(tmpdir(), "footnote-broken-"))
afterAll(() => rmSync(folder, { recursive: true }))

const layouts: Readonly<Record<string, ResolvedModel["files"]>> = {
  ctc: writeToyCtc(join(folder, "ctc")),
  nemo_ctc: writeToyCtc(join(folder, "nemo-ctc")),
  nemo_transducer: writeToyTransducer(join(folder, "transducer")),
  whisper: writeToyWhisper(join(folder, "whisper"))
}
const roleOf = (type: string, files: ResolvedModel["files"]): ResolvedModel => ({
  driver: type === "ctc" ? "ctc" : "sherpa",
  name: `toy-${type}`,
  files,
  sha256: {},
  options: { type }
})
const cases = Object.entries(layouts).flatMap(([type, files]) => Object.keys(files).map((key) => [type, key] as const))

const failureOf = async (opened: Promise<AsyncDisposable>) => {
  const error = await opened.then(async (model) => {
    await model[Symbol.asyncDispose]()
    return null
  }, (error: unknown) => error)
  const { code, message, retryable } = error as { code: string; message: string; retryable: boolean }
  assert.deepStrictEqual([code, retryable], ["MODEL_UNAVAILABLE", false], message)
  return message
}

/** A file with other content, as `damage` makes it. */
const damaged = (type: string, key: string, damage: (bytes: Buffer) => Buffer): ResolvedModel => {
  const path = join(folder, `${type}-${key}-damaged`)
  writeFileSync(path, damage(readFileSync(layouts[type]![key]!)))
  return roleOf(type, { ...layouts[type], [key]: path })
}

describe.each(cases)("%s without a good file %s", (type, key) => {
  it("is MODEL_UNAVAILABLE and names the file that is not there", async () => {
    const path = join(folder, "nowhere", key)
    assert.include(await failureOf(openRecogniserOf(roleOf(type, { ...layouts[type], [key]: path }))), path)
  })

  it("is MODEL_UNAVAILABLE and names the file that was cut off", async () => {
    // Half of a token table is still one, but no longer fits the network.
    const role = damaged(type, key, (bytes) => bytes.subarray(0, key === "tokens" ? 3 : bytes.length - 100))
    assert.include(
      await failureOf(openRecogniserOf(role)),
      key === "tokens" && type === "ctc" ? "token" : role.files[key]!
    )
  })

  it("is MODEL_UNAVAILABLE for a stack that forgets it", async () => {
    const { [key]: _, ...files } = layouts[type]!
    assert.include(await failureOf(openRecogniserOf(roleOf(type, files))), key)
  })
})

describe("sherpa", () => {
  it("names the file whose metadata is not that of its layout", async () => {
    for (
      const [type, key] of [["nemo_ctc", "model"], ["nemo_transducer", "encoder"], ["whisper", "encoder"]] as const
    ) {
      const [decoder] = [layouts["whisper"]!["decoder"]!]
      const message = await failureOf(openRecogniserOf(roleOf(type, { ...layouts[type], [key]: decoder })))
      assert.include(message, decoder)
      assert.include(message, "metadata")
    }
  })

  it("tells tokens that are not as many as the transducer has", async () => {
    const message = await failureOf(
      openRecogniserOf(damaged("nemo_transducer", "tokens", (bytes) => Buffer.concat([Buffer.from("a 9\n"), bytes])))
    )
    assert.include(message, "6 tokens, not 5")
  })

  it("tells networks that no engine can run, and which type no driver knows", async () => {
    const broken = damaged(
      "whisper",
      "decoder",
      (bytes) => Buffer.from(bytes.toString("latin1").replace("ReduceMax", "ReduceMix"), "latin1")
    )
    assert.include(await failureOf(openRecogniserOf(broken)), "ReduceMix")
    assert.include(await failureOf(openRecogniserOf(roleOf("moonshine", layouts["whisper"]!))), "moonshine")
  })

  it("tells a driver that a role does not have", async () => {
    const role = { ...roleOf("whisper", layouts["whisper"]!), driver: "telepathy" }
    for (const open of [openVadOf, openRecogniserOf, openEmbeddingOf]) {
      assert.include(await failureOf(open(role)), "telepathy")
    }
  })

  it("names the speaker network that is absent, cut off or of no known framework", async () => {
    const { model } = writeToySpeaker(join(folder, "speaker"), "wespeaker")
    const cut = join(folder, "cut.onnx")
    writeFileSync(cut, readFileSync(model!).subarray(0, 100))
    for (const path of [join(folder, "none.onnx"), cut, layouts["ctc"]!["model"]!]) {
      assert.include(
        await failureOf(openEmbeddingOf({ ...roleOf("-", { model: path }), driver: "sherpa-embedding" })),
        path
      )
    }
  })
})
