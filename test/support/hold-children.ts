import { NodeRuntime } from "@effect/platform-node"
import { Context, Effect, Layer } from "effect"
import { fileURLToPath } from "node:url"
import { Compute } from "../../workers/compute/Compute.ts"
import * as ComputeProcess from "../../workers/compute/ComputeProcess.ts"
import { runMedia } from "../../workers/media/ffmpeg/MediaProcess.ts"
import { unconfined } from "../../workers/media/ffmpeg/Sandbox.ts"
import { fixtureCalls } from "../workers/compute/FixtureCalls.ts"

const [kind, file] = process.argv.slice(2)

/** A model process that is deaf in a native call. */
const model = Effect.gen(function*() {
  const entry = fileURLToPath(new URL("../workers/compute/fixture-compute.ts", import.meta.url))
  const { call } = Context.get(yield* Layer.build(ComputeProcess.layer({ entry })), Compute)
  yield* call(fixtureCalls.pid, {})
  yield* Effect.forkScoped(call(fixtureCalls.block, { ms: 3_600_000 }))
})

/** A decoder that nothing confines and that takes no notice of its pipes. */
const decoder = Effect.gen(function*() {
  const tools = {
    ffmpeg: file!,
    ffprobe: null,
    version: "",
    libavformat: [60, 0] as const,
    sandbox: unconfined,
    hwaccel: null,
    warnings: []
  }
  yield* runMedia(tools, { program: "ffmpeg", args: [], input: file!, wall_seconds: 3600 })
})

/** Starts what a worker starts and says so; it never ends by itself. */
Effect.gen(function*() {
  yield* kind === "model" ? model : decoder
  process.send?.("ready")
  return yield* Effect.never
}).pipe(Effect.scoped, NodeRuntime.runMain)
