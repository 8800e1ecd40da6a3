import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { scriptedService } from "../support/ScriptedService.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const block = /^A whole exchange.*\n\n```bash\n([\s\S]*?)^```/mu.exec(readFileSync(`${root}docs/rest.md`, "utf8"))?.[1]
const there = ["bash", "curl", "jq"].every((name) => spawnSync(name, ["--version"]).status === 0)

describe.skipIf(!there)("the whole exchange of docs/rest.md", () => {
  it.live("waits while the job is queued or running, and shows its evidence, or how it ended else", () =>
    Effect.gen(function*() {
      for (
        const [last, shown] of [
          ["succeeded", { pointer: "/title", value: "Speed", t_start: 1, quote: "speed", verified: true }],
          ["failed", { status: "failed", error: { code: "NO_MEDIA" } }],
          ["cancelled", { status: "cancelled", error: null }]
        ] as const
      ) {
        const statuses = ["queued", "running"]
        const { base_url } = yield* scriptedService(({ method, url }) => {
          if (url.startsWith("/v1/uploads")) return { json: { uri: "upload://upl_1" } }
          if (method === "POST") return { json: { id: "job_1" } }
          if (url.endsWith("/evidence")) return { json: { spans: [{ ...shown, source_ref: "seg#000001" }] } }
          const status = url.includes("wait=60") ? statuses.shift() ?? last : last
          return { json: { id: "job_1", status, error: status === "failed" ? { code: "NO_MEDIA" } : null } }
        })
        const script = block?.replace(/^base=.*$/mu, `base=${base_url}`) ?? assert.fail("There is no such part")
        const { stdout } = yield* Effect.promise(() =>
          promisify(execFile)("bash", ["-c", script], { cwd: root, env: { ...process.env, KEY: "k" }, timeout: 20_000 })
        )
        assert.deepStrictEqual(JSON.parse(stdout), shown)
      }
    }).pipe(Effect.scoped))
})
