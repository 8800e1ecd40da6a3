import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile, spawnSync } from "node:child_process"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { gapsOf } from "../../../workers/media/ffmpeg/Openings.ts"
import { sandboxPaths } from "./SandboxPaths.ts"
import type { TakenOverReport } from "./taken-over-report.ts"
import { opens } from "./TakenOver.ts"

const { perl } = sandboxPaths()
const ffmpeg = (createRequire(import.meta.url)("@ffmpeg-installer/ffmpeg") as { readonly path: string }).path
const entry = fileURLToPath(new URL("taken-over-report.ts", import.meta.url))
const NOBODY = 65_534

const root = process.getuid?.() === 0
const users = root ? [{ name: "root", ids: {} }, { name: "an ordinary user", ids: { uid: NOBODY, gid: NOBODY } }] : [
  { name: "this user", ids: {} }
]

const runnable = (ids: { readonly uid?: number; readonly gid?: number }): boolean =>
  spawnSync(process.execPath, ["--check", entry], ids).status === 0

/** A user namespace with others in it: what our launcher needs of the kernel where it is not root. */
const namespaces = (ids: { readonly uid?: number; readonly gid?: number }): boolean =>
  spawnSync("unshare", ["--user", "--mount", "--pid", "--net", "--ipc", "--fork", "true"], ids).status === 0

const reportsAs = (ids: { readonly uid?: number; readonly gid?: number }) =>
  Effect.promise(() =>
    new Promise<ReadonlyArray<TakenOverReport>>((resolve, reject) => {
      const env = { PATH: process.env["PATH"], LC_ALL: "C" }
      execFile(process.execPath, [entry, ffmpeg], { ...ids, env, maxBuffer: 2 ** 24 }, (error, stdout) => {
        if (error === null) resolve(JSON.parse(stdout) as ReadonlyArray<TakenOverReport>)
        else reject(error)
      })
    })
  )

describe("a decoder that is taken over", () => {
  for (const { ids, name } of users) {
    const skipped = perl === null ? "perl is missing" : runnable(ids) ? null : "the repository is closed to that user"
    it.live.skipIf(skipped !== null)(
      `reaches nothing behind the confinement that is chosen, and behind weaker ones only what is told, its worker being ${name}`
        + (skipped === null ? "" : ` (skipped: ${skipped})`),
      () =>
        Effect.gen(function*() {
          const reports = yield* reportsAs(ids)
          for (const { means, open, reached } of reports) {
            const untold = reached.filter((attempt) => !open[opens[attempt]!])
            assert.deepStrictEqual(untold, [], means.join(", "))
          }
          const [chosen] = reports
          if (namespaces(ids)) {
            assert.includeMembers([...chosen!.means], ["rlimits", "no-new-privs", "seccomp", "namespaces"])
            assert.deepStrictEqual([chosen!.reached, gapsOf(chosen!.open)], [[], []])
          }
          // That the program does what it says: behind nothing, next to all of it gets through.
          const { means, reached } = reports.at(-1)!
          assert.deepStrictEqual(means, [])
          assert.includeMembers([...reached], [
            "tcp",
            "unix",
            "secret",
            "unlink",
            "environ",
            "ptrace",
            "kill",
            "tgkill"
          ])
          assert.includeMembers([...reached], [
            "prlimit64",
            "clone",
            "fork",
            "outlives",
            "segment",
            "memory without bound"
          ])
        }),
      240_000
    )
  }
})
