import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type ChildProcess, fork, spawn } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { freePort } from "../../src/cli/LocalService.ts"
import { folder } from "../support/ApiProcess.ts"
import { allGone, type Known, left, treeOf, until } from "../support/ProcessTree.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const holder = fileURLToPath(new URL("../support/hold-children.ts", import.meta.url))

const signal = (some: ReadonlyArray<Known>, name: NodeJS.Signals) => {
  for (const { pid } of left(some)) {
    try {
      process.kill(pid, name)
    } catch {
      // It has gone with another one.
    }
  }
}

/** `npm SCRIPT` with a data folder and a port of its own; whatever is left of it is gone with the scope. */
const npm = (script: ReadonlyArray<string>, env: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn("npm", script, { cwd: root, env: { ...process.env, ...env }, stdio: ["ignore", 2, 2] })
      const seen = new Map<string, Known>()
      /** All that has been seen of it so far: what has lost its parent is found no more. */
      const tree = () => {
        for (const one of treeOf(child.pid!)) seen.set(`${one.pid} ${one.started}`, one)
        return [...seen.values()]
      }
      return { child, tree }
    }),
    ({ tree }) => Effect.sync(() => signal(tree(), "SIGKILL"))
  )

const ended = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
  })

/** Ready: the API says so, and five workers' worth of processes are there. Dies where the start has failed. */
const ready = Effect.fnUntraced(function*({ child, tree }: Effect.Success<ReturnType<typeof npm>>, port: number) {
  for (;;) {
    assert.isNull(child.exitCode, "npm start goes on")
    // After a kill the workers of before were seen lately enough for the first answer.
    const answered = (yield* Effect.promise(() => statusOf(`http://127.0.0.1:${port}/readyz`))) === 200
    if (answered && named(tree(), /workers\/main\.ts/u).length > 1) return tree()
    yield* Effect.sleep("100 millis")
  }
})

const statusOf = (url: string) => fetch(url).then(({ status }) => status, () => 0)
const pathOf = process.env.PATH!

const named = (tree: ReadonlyArray<Known>, words: RegExp) => tree.filter(({ command }) => words.test(command))

describe("npm start", () => {
  it.live(
    "leaves nothing behind, however it goes, and starts again at once",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const data = yield* folder
        const port = yield* freePort
        const env = { FOOTNOTE_DATA: data, PORT: String(port), LOG_LEVEL: "Error" }
        const goes: Record<string, (tree: ReadonlyArray<Known>, npm: number) => void> = {
          "kill -9 of npm": (_, npm) => process.kill(npm, "SIGKILL"),
          "kill -9 of the service": (tree) => signal(named(tree, /^node src\/cli\/start\.ts/u), "SIGKILL"),
          "kill -9 of all but PostgreSQL": (tree) =>
            signal(tree.filter(({ command }) => !/(^|\/)postgres\b/u.test(command)), "SIGKILL"),
          "kill -9 of all but PostgreSQL's sessions": (tree) =>
            signal(tree.filter(({ command }) => !command.startsWith("postgres:")), "SIGKILL"),
          "SIGTERM to npm": (_, npm) => process.kill(npm, "SIGTERM")
        }
        for (const [how, go] of Object.entries(goes)) {
          const started = yield* npm(["start"], env)
          const tree = yield* ready(started, port)
          assert.isAbove(named(tree, /postgres/u).length, 1, how)
          assert.isAbove(named(tree, /workers\/main\.ts/u).length, 1, how)
          go(tree, started.child.pid!)
          yield* ended(started.child)
          // At once: the next start meets whatever is on its way out. Only the last one waits for the port, too.
          yield* allGone(tree)
        }
      })),
    600_000
  )
})

describe("npm run worker", () => {
  it.live("ends with npm, also where npm was killed", () =>
    Effect.scoped(Effect.gen(function*() {
      const env = { FOOTNOTE_DATA: yield* folder, LOG_LEVEL: "Error" }
      const started = yield* npm(["run", "worker", "--", "extraction"], env)
      yield* until(() => named(started.tree(), /workers\/main\.ts/u).length > 0)
      // Its database is being made: the moment in which most is under way.
      yield* until(() => named(started.tree(), /postgres|initdb/u).length > 0)
      const tree = started.tree()
      started.child.kill("SIGKILL")
      yield* allGone(tree)
    })))
})

/** A worker in miniature that holds one child. */
const hold = (args: ReadonlyArray<string>, path: string) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      fork(holder, args, { execArgv: [], env: { ...process.env, PATH: path }, stdio: ["ignore", 2, 2, "ipc"] })
    ),
    (child) => Effect.sync(() => void child.kill("SIGKILL"))
  ).pipe(
    Effect.tap((child) => Effect.callback<void>((resume) => void child.once("message", () => resume(Effect.void))))
  )

describe("a worker that is killed", () => {
  /** A machine with, and one without, what makes the kernel end a process with its parent. */
  const machines = Effect.map(folder, (path) => {
    const bare = join(path, "bin")
    mkdirSync(bare)
    const sh = pathOf.split(delimiter).map((entry) => join(entry, "sh")).find((file) => existsSync(file))!
    symlinkSync(sh, join(bare, "sh"))
    return { "with setpriv": pathOf, "without setpriv": bare }
  })
  it.live("takes its model process with it, also one that is deaf in a native call", () =>
    Effect.scoped(Effect.gen(function*() {
      for (const [which, path] of Object.entries(yield* machines)) {
        const worker = yield* hold(["model"], path)
        const tree = treeOf(worker.pid!)
        assert.isAbove(named(tree, /fixture-compute/u).length, 0, which)
        worker.kill("SIGKILL")
        yield* allGone(tree)
      }
    })))

  it.live("takes its decoders with it, also unconfined ones that wait for nothing of it", (context) =>
    Effect.scoped(Effect.gen(function*() {
      const path = yield* folder
      const program = join(path, "decoder")
      writeFileSync(program, "#!/bin/sh\nexec 1>&- 2>&-\nwhile :; do sleep 1; done\n")
      chmodSync(program, 0o755)
      const { canTie } = yield* Effect.promise(() => import("../../src/processes/TiedCommand.ts"))
      if (!canTie()) return context.skip("no setpriv on this machine")
      const worker = yield* hold(["decoder", program], pathOf)
      // It was a shell's parent until a moment ago.
      yield* until(() => named(treeOf(worker.pid!), /^\/bin\/sh /u).length > 0)
      const tree = treeOf(worker.pid!)
      worker.kill("SIGKILL")
      yield* allGone(tree)
    })))
})
