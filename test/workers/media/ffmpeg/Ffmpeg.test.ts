import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem, Logger, References } from "effect"
import { createRequire } from "node:module"
import { join } from "node:path"
import { findMediaTools } from "../../../../workers/media/ffmpeg/Ffmpeg.ts"
import { unconfined } from "../../../../workers/media/ffmpeg/Sandbox.ts"

const bundled = (createRequire(import.meta.url)("@ffmpeg-installer/ffmpeg") as { readonly path: string }).path

const find = (env: Record<string, string>) =>
  findMediaTools.pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env })),
    Effect.provideService(References.MinimumLogLevel, "Error")
  )

/** A folder with a program `name` that is `text`. */
const program = Effect.fnUntraced(function*(name: string, text: string) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped()
  yield* fs.writeFileString(join(folder, name), text, { mode: 0o755 })
  return folder
})

const recent = "#!/bin/sh\necho 'ffmpeg version 7.1.5'\necho 'libavformat    61.  7.100 / 61.  7.100'\n"

describe("findMediaTools", () => {
  it.effect("falls back to the bundled build where PATH has none", () =>
    Effect.gen(function*() {
      const tools = yield* find({ PATH: "/nowhere" })
      assert.strictEqual(tools.ffmpeg, bundled)
      assert.isNull(tools.ffprobe)
      assert.match(tools.version, /^ffmpeg version /u)
      assert.deepStrictEqual(tools.sandbox, unconfined)
    }))

  it.effect("tells at every start what to install instead of the bundled build", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const log = Logger.make(({ message }) => {
        lines.push(String(message))
      })
      const env = { PATH: "/nowhere" }
      yield* findMediaTools.pipe(
        Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env })),
        Effect.provide(Logger.layer([log]))
      )
      assert.lengthOf(lines.filter((line) => line.includes("apt-get install ffmpeg bubblewrap")), 1)
    }))

  it.effect("refuses the bundled build in production unless it is allowed by name", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(find({ PATH: "/nowhere", NODE_ENV: "production" }))
      assert.strictEqual(failure._tag, "MediaToolMissing")
      const env = { PATH: "/nowhere", NODE_ENV: "production", ALLOW_BUNDLED_FFMPEG: "1", FOOTNOTE_SANDBOX: "auto" }
      assert.strictEqual((yield* find(env)).ffmpeg, bundled)
    }))

  it.effect("refuses it in production by whatever path it is named, and a copy of it", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const [link, copy] = [join(folder, "link"), join(folder, "copy")]
      yield* fs.symlink(bundled, link)
      yield* fs.copyFile(bundled, copy)
      yield* fs.chmod(copy, 0o755)
      for (const FOOTNOTE_FFMPEG_PATH of [bundled, link, copy]) {
        const env = { PATH: "/nowhere", NODE_ENV: "production", FOOTNOTE_SANDBOX: "auto", FOOTNOTE_FFMPEG_PATH }
        const failure = yield* Effect.flip(find(env))
        assert.include(failure.message, "apt-get install ffmpeg")
        assert.strictEqual((yield* find({ ...env, ALLOW_BUNDLED_FFMPEG: "1" })).ffmpeg, FOOTNOTE_FFMPEG_PATH)
      }
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.effect("refuses to start where decoders would reach more than their input, by default in production", () =>
    Effect.gen(function*() {
      const env = { PATH: "/nowhere", FFMPEG_PATH: bundled, ALLOW_BUNDLED_FFMPEG: "1" }
      for (const wish of [{ NODE_ENV: "production" }, { FOOTNOTE_SANDBOX: "required" }]) {
        const failure = yield* Effect.flip(find({ ...env, ...wish }))
        assert.strictEqual(failure._tag, "SandboxMissing")
        assert.match(
          failure.message,
          /^Decoders could reach files, the network, local sockets, other processes behind /u
        )
        for (const cure of ["apt-get install", "FOOTNOTE_SANDBOX=auto"]) assert.include(failure.message, cure)
        assert.notInclude(failure.message, "\n")
      }
      for (const FOOTNOTE_SANDBOX of ["auto", "off"]) {
        const tools = yield* find({ ...env, NODE_ENV: "production", FOOTNOTE_SANDBOX })
        assert.deepStrictEqual(tools.sandbox, unconfined)
      }
    }))

  it.effect("takes a recent ffmpeg from PATH and passes an old one over", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const old = yield* fs.makeTempDirectoryScoped()
      yield* fs.symlink(bundled, join(old, "ffmpeg"))
      assert.strictEqual((yield* find({ PATH: old })).ffmpeg, bundled)
      const folder = yield* program("ffmpeg", recent)
      const tools = yield* find({ PATH: folder, NODE_ENV: "production", FOOTNOTE_SANDBOX: "auto" })
      assert.deepInclude(tools, { ffmpeg: join(folder, "ffmpeg"), version: "ffmpeg version 7.1.5" })
      assert.deepStrictEqual(tools.libavformat, [61, 7])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.effect("obeys an explicit path, FOOTNOTE_FFMPEG_PATH first, and fails when it cannot be run", () =>
    Effect.gen(function*() {
      const folder = yield* program("decoder", recent)
      const path = join(folder, "decoder")
      assert.strictEqual((yield* find({ FFMPEG_PATH: path })).ffmpeg, path)
      assert.strictEqual((yield* find({ FOOTNOTE_FFMPEG_PATH: path, FFMPEG_PATH: "/nowhere" })).ffmpeg, path)
      const failure = yield* Effect.flip(find({ FFMPEG_PATH: "/nowhere/ffmpeg" }))
      assert.strictEqual(failure._tag, "MediaToolMissing")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.effect("confines nothing when it is told not to", () =>
    Effect.gen(function*() {
      const tools = yield* find({ PATH: "/usr/bin:/bin", FFMPEG_PATH: bundled, FOOTNOTE_SANDBOX: "off" })
      assert.deepStrictEqual(tools.sandbox, unconfined)
    }))
})
