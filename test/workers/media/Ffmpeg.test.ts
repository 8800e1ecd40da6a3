import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem, References } from "effect"
import { createRequire } from "node:module"
import { join } from "node:path"
import { findMediaTools } from "../../../workers/media/Ffmpeg.ts"
import { unconfined } from "../../../workers/media/Sandbox.ts"

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

  it.effect("refuses the bundled build in production unless it is allowed by name", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(find({ PATH: "/nowhere", NODE_ENV: "production" }))
      assert.strictEqual(failure._tag, "MediaToolMissing")
      const tools = yield* find({ PATH: "/nowhere", NODE_ENV: "production", ALLOW_BUNDLED_FFMPEG: "1" })
      assert.strictEqual(tools.ffmpeg, bundled)
    }))

  it.effect("takes a recent ffmpeg from PATH and passes an old one over", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const old = yield* fs.makeTempDirectoryScoped()
      yield* fs.symlink(bundled, join(old, "ffmpeg"))
      assert.strictEqual((yield* find({ PATH: old })).ffmpeg, bundled)
      const folder = yield* program("ffmpeg", recent)
      const tools = yield* find({ PATH: folder, NODE_ENV: "production" })
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
