import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { text } from "node:stream/consumers"
import { confine, unconfined } from "../../../../workers/media/ffmpeg/Sandbox.ts"
import { folder } from "../../../support/ApiProcess.ts"
import { treeOf, until } from "../../../support/ProcessTree.ts"

const program = "/usr/bin/sleep"
const without = process.getuid?.() !== 0
  ? "only root may make the name spaces"
  : spawnSync("strace", ["-V"]).status !== 0 || !existsSync("/usr/bin/perl")
  ? "there is no strace or perl here"
  : !existsSync(program)
  ? `there is no ${program} here`
  : undefined

describe("the launcher", () => {
  it.live("starts no decoder whose worker was killed before the kernel was asked to end both together", (context) =>
    Effect.scoped(Effect.gen(function*() {
      if (without !== undefined) return context.skip(without)
      const cwd = yield* folder
      const perl = { perl: "/usr/bin/perl", files: "own", identity: "decoder" } as const
      const confined = confine(
        { ...unconfined, launcher: perl },
        { cpu_seconds: 60, input: "/dev/null", program, cwd },
        existsSync
      )
      // The first process of the PID namespace is held up for a second where it asks.
      const late = ["-f", "-o", "/dev/null", "-e", "trace=prctl", "-e", "inject=prctl:delay_enter=1000000:when=1"]
      const command = [...confined.filter((word) => !word.startsWith("--filter=")), program, "3600"]
      const tracer = spawn("strace", [...late, ...command], { stdio: ["ignore", "ignore", "pipe"] })
      const said = text(tracer.stderr)
      const ended = once(tracer, "exit")
      yield* until(() => treeOf(tracer.pid!).length === 3)
      const [, first] = treeOf(tracer.pid!)
      process.kill(first!.pid, "SIGKILL")
      yield* Effect.promise(() => ended)
      assert.include(yield* Effect.promise(() => said), "launcher: parent: No such process")
    })))
})
