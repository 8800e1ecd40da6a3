import { NodeRuntime } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { EmbeddedPostgres } from "../../src/database/EmbeddedPostgres.ts"

/** Holds the private PostgreSQL of a folder until it is told to stop. */
const Held = Layer.effectDiscard(Effect.gen(function*() {
  yield* EmbeddedPostgres
  process.send?.("ready")
}))

Layer.launch(Held).pipe(
  Effect.provide(EmbeddedPostgres.layer({ dataDir: process.argv[2]! })),
  NodeRuntime.runMain
)
