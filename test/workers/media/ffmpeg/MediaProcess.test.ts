import { assert, layer as suite } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { damageCount } from "../../../../workers/media/ffmpeg/MediaContext.ts"
import { runMedia, SECOND_OUTPUT } from "../../../../workers/media/ffmpeg/MediaProcess.ts"
import { unconfined } from "../../../../workers/media/ffmpeg/Sandbox.ts"
import { layer, MediaLab, ownDecoders, recipes } from "../MediaLab.ts"

/** Writes more than a pipe holds, so without a reader it never ends by itself. */
const endless = (input: string, wall_seconds: number) => ({
  program: "ffmpeg" as const,
  input,
  wall_seconds,
  args: ["-v", "error", "-nostdin", "-i", "/dev/fd/3", "-f", "rawvideo", "-"]
})

suite(layer, { timeout: 120_000, excludeTestServices: true })("runMedia", (it) => {
  it.effect("kills the decoder when the wall clock runs out and says STAGE_TIMEOUT", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const file = yield* lab.make("endless.mp4", recipes.video_and_sound(4))
      const { ended } = yield* runMedia(lab.tools, endless(file, 0.1))
      const failure = yield* Effect.flip(ended)
      assert.deepInclude(failure, { code: "STAGE_TIMEOUT", retryable: true })
      assert.deepStrictEqual(ownDecoders(), [])
    }).pipe(Effect.scoped))

  it.effect("has killed and reaped the decoder once its scope is closed", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const file = yield* lab.make("closed.mp4", recipes.video_and_sound(4))
      const scope = yield* Scope.make()
      yield* runMedia(lab.tools, endless(file, 60)).pipe(Scope.provide(scope))
      assert.lengthOf(ownDecoders(), 1)
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(ownDecoders(), [])
    }))

  it.effect("never passes a killed decoder's output for the whole", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const file = yield* lab.make("killed.mp4", recipes.video_and_sound(4))
      const { ended } = yield* runMedia(lab.tools, endless(file, 60))
      const [decoder] = ownDecoders()
      process.kill(Number(decoder!.split(" ")[0]), "SIGKILL")
      assert.deepInclude(yield* Effect.flip(ended), { code: "INTERNAL", retryable: true })
    }).pipe(Effect.scoped))

  it.effect("ends with what wraps a decoder, also where that is killed before it has tied the decoder to itself", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const file = yield* lab.make("orphaned.mp4", recipes.video_and_sound(4))
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "footnote-wrapper-"))),
        (made) => Effect.sync(() => rmSync(made, { recursive: true }))
      )
      // Its child waits for nothing that will come, and holds both outputs open.
      const wrapper = join(folder, "wrapper")
      writeFileSync(wrapper, "#!/bin/sh\ntail -f /dev/null &\nkill -KILL $$\n", { mode: 0o700 })
      const tools = { ...lab.tools, ffmpeg: wrapper, sandbox: unconfined }
      const { ended } = yield* runMedia(tools, endless(file, 100))
      assert.deepInclude(yield* Effect.flip(ended), { code: "INTERNAL", retryable: true })
    }).pipe(Effect.scoped))

  it.effect("loses nothing of a decoder that has ended before anyone reads", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const file = yield* lab.make("early.mp4", recipes.video_and_sound(4))
      const { ended, messages, stdout } = yield* runMedia(lab.tools, {
        program: "ffmpeg",
        input: file,
        wall_seconds: 60,
        args: "-nostdin -i /dev/fd/3 -map 0:a:0 -ac 1 -ar 16000 -t 1 -f s16le -".split(" ")
      })
      yield* ended
      let bytes = 0
      yield* Effect.promise(async () => {
        for await (const part of stdout as AsyncIterable<Uint8Array>) bytes += part.length
      })
      assert.strictEqual(bytes, 32_000)
      assert.include(messages(), "Stream #0:")
    }).pipe(Effect.scoped))

  it.effect("gets from a decoder that would go on for ever what it still holds", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const file = yield* lab.make("forever.mp4", recipes.video_and_sound(4))
      let list = ""
      const { ended, exitCode, stdout, stopped } = yield* runMedia(lab.tools, {
        program: "ffmpeg",
        input: file,
        wall_seconds: 60,
        listed: (text) => {
          list += text
        },
        args: [
          ..."-v error -nostdin -stream_loop -1 -re -i /dev/fd/3 -map 0:v -s 16x16 -f rawvideo pipe:1".split(" "),
          ..."-map 0:v -s 16x16 -flush_packets 0 -f framecrc".split(" "),
          SECOND_OUTPUT
        ]
      })
      yield* Effect.promise(() => new Promise((resolve) => stdout.once("data", resolve)))
      stdout.resume()
      assert.strictEqual(exitCode(), null)
      yield* stopped
      yield* ended
      assert.match(list, /^0, .*\n$/mu)
      assert.deepStrictEqual(ownDecoders(), [])
    }).pipe(Effect.scoped))

  it.effect("tells a crash of the decoder as damage", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const file = yield* lab.make("crash.mp4", recipes.video_and_sound(4))
      const { ended, messages, stdout } = yield* runMedia(lab.tools, endless(file, 60))
      const [decoder] = ownDecoders()
      process.kill(Number(decoder!.split(" ")[0]), "SIGSEGV")
      stdout.resume()
      yield* ended
      assert.isAtLeast(damageCount(messages()), 1)
    }).pipe(Effect.scoped))

  it.effect("shows the decoder neither the environment nor the file's name", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const file = yield* lab.make("named.mp4", recipes.video_only)
      const { ended, messages, stdout } = yield* runMedia(lab.tools, {
        program: "ffmpeg",
        input: file,
        wall_seconds: 60,
        args: ["-nostdin", "-i", "/dev/fd/3", "-f", "null", "-"]
      })
      stdout.resume()
      yield* ended
      assert.include(messages(), "from '/dev/fd/3'")
      assert.notInclude(messages(), "named.mp4")
    }).pipe(Effect.scoped))

  it.effect("fails typed when the input is gone", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const failure = yield* Effect.flip(Effect.scoped(runMedia(lab.tools, endless("/nowhere/at/all.mp4", 10))))
      assert.deepInclude(failure, { code: "INTERNAL", retryable: true })
    }))
})
