import { NodeRuntime } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { spawnSync } from "node:child_process"
import { EmbeddedPostgres } from "../../src/database/EmbeddedPostgres.ts"

/** Holds the private PostgreSQL of a folder until it is told to stop; `without guard` ends its guard process. */
const Held = Layer.effectDiscard(Effect.gen(function*() {
  yield* EmbeddedPostgres
  process.on("message", () => {
    // The guard is the only shell among this process's children.
    const children = spawnSync("ps", ["-o", "pid=,comm=", "--ppid", String(process.pid)], { encoding: "utf8" }).stdout
    for (const line of children.trim().split("\n")) {
      const [pid, name] = line.trim().split(/\s+/u)
      if (name === "sh") process.kill(Number(pid), "SIGKILL")
    }
    process.send!("done")
  })
  process.send!("ready")
}))

Layer.launch(Held).pipe(
  Effect.provide(EmbeddedPostgres.layer({ dataDir: process.argv[2]! })),
  NodeRuntime.runMain
)
