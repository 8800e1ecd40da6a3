import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync, fork } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { canTie } from "../../src/processes/TiedCommand.ts"
import { folder } from "../support/ApiProcess.ts"
import { allGone, treeOf, until } from "../support/ProcessTree.ts"

const starter = fileURLToPath(new URL("../support/start-tied.ts", import.meta.url))
const path = process.env.PATH!

describe("a command that is tied to the process that starts it", () => {
  it.live("ends at once where that one was killed before the kernel was asked to tie them", (context) =>
    Effect.scoped(Effect.gen(function*() {
      if (!canTie()) return context.skip("no setpriv on this machine")
      const bin = yield* folder
      const gate = join(bin, "gate")
      execFileSync("mkfifo", [gate])
      const setpriv = path.split(delimiter).map((entry) => join(entry, "setpriv")).find((file) => existsSync(file))!
      // The try that finds out what the machine can passes, and what is to be tied waits before it is.
      const slow = join(bin, "setpriv")
      writeFileSync(
        slow,
        `#!/bin/sh\ncase "$*" in *"-- true") ;; *) read -r _ < ${gate} ;; esac\nexec ${setpriv} "$@"\n`
      )
      chmodSync(slow, 0o755)
      const began = join(bin, "began")
      const parent = fork(starter, ["sh", "-c", `: > ${began}; while :; do sleep 1; done`], {
        execArgv: [],
        env: { ...process.env, PATH: `${bin}${delimiter}${path}` }
      })
      yield* Effect.promise(() => once(parent, "message"))
      const tree = treeOf(parent.pid!)
      const gone = once(parent, "exit")
      parent.kill("SIGKILL")
      yield* Effect.promise(() => gone)
      writeFileSync(gate, "\n")
      yield* allGone(tree)
      assert.isFalse(existsSync(began))
    })))

  it.live("goes with it later", (context) =>
    Effect.scoped(Effect.gen(function*() {
      if (!canTie()) return context.skip("no setpriv on this machine")
      const began = join(yield* folder, "began")
      const parent = fork(starter, ["sh", "-c", `: > ${began}; while :; do sleep 1; done`], { execArgv: [] })
      yield* until(() => existsSync(began))
      const tree = treeOf(parent.pid!)
      assert.isAbove(tree.length, 1)
      parent.kill("SIGKILL")
      yield* allGone(tree)
    })))
})
