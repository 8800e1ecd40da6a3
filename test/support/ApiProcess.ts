import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { freePort } from "../../src/cli/LocalService.ts"

const entry = fileURLToPath(new URL("../../src/main.ts", import.meta.url))

/** A folder that is gone with the scope. */
export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "footnote-test-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** What the process ended with: its code, or the signal. */
export const ended = (child: ChildProcess) =>
  Effect.callback<number | string>((resume) => {
    const done = () => resume(Effect.succeed(child.exitCode ?? child.signalCode ?? "?"))
    if (child.exitCode !== null || child.signalCode !== null) return done()
    child.once("exit", done)
  })

/** The API as a process of its own; `ready` succeeds when it says so, or when it has ended. */
export const api = Effect.fn("api")(function*(env: Readonly<Record<string, string>>) {
  const port = yield* freePort
  let output = ""
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [entry], {
        env: { PORT: String(port), ...env },
        stdio: ["ignore", "pipe", "pipe", "ipc"]
      })
    ),
    (child) => Effect.andThen(Effect.sync(() => void child.kill("SIGKILL")), ended(child))
  )
  child.stdout!.on("data", (chunk) => output += chunk)
  child.stderr!.on("data", (chunk) => output += chunk)
  const ready = Effect.race(
    Effect.callback<void>((resume) => void child.once("message", () => resume(Effect.void))),
    Effect.asVoid(ended(child))
  )
  return {
    child,
    ready,
    output: () => output,
    base_url: `http://127.0.0.1:${port}`,
    stop: Effect.andThen(Effect.sync(() => void child.kill("SIGTERM")), ended(child))
  }
})

/** The keys that a process has printed. */
export const printedKeys = (output: string): ReadonlyArray<string> =>
  [...output.matchAll(/fnk_[0-9A-Za-z]{38}/gu)].map(([key]) => key)
