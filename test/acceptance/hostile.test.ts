import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { JobFailureCode } from "../../src/jobs/model/JobFailure.ts"
import { findMediaTools } from "../../workers/media/ffmpeg/Ffmpeg.ts"
import { canary } from "../support/Canary.ts"
import { deployment, finished, submit } from "../support/Deployment.ts"
import { hostileClips, stock } from "../workers/media/HostileClips.ts"
import { holdersOf, makeClip } from "../workers/media/MediaLab.ts"
import { mutants } from "../workers/media/Mutations.ts"

/** Processes that have something of the deployment open and are not the service's own. */
const decodersLeft = (folder: string): ReadonlyArray<string> =>
  holdersOf(folder).flatMap((pid) => {
    try {
      return readFileSync(`/proc/${pid}/comm`, "utf8").trim()
    } catch {
      // It has ended since: nothing is left of it.
      return []
    }
  }).filter((name) => /^(?:ff(?:mpeg|probe)|prlimit|setpriv|sh|bwrap|unshare|perl)/u.test(name))

/** A folder for the temporary files of the service alone. */
const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "footnote-hostile-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const erase = async (base_url: string, api_key: string, id: string): Promise<number> => {
  const call = { method: "DELETE", headers: { authorization: `Bearer ${api_key}` } }
  return (await fetch(`${base_url}/v1/jobs/${id}`, call)).status
}

describe("POST /v1/jobs with media from strangers", () => {
  it.live(
    "whole jobs on lying, endless, broken and spoiled files end with the right code or a result; nothing reaches the "
      + "network, and no decoder, temporary file or, once erased, byte of them is left",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const temporary = yield* temporaryFolder
        const { api_key, base_url, client, folder } = yield* deployment({ env: { TMPDIR: temporary } })
        const { ffmpeg } = yield* findMediaTools
        const { port, seen } = yield* canary()
        const clips = join(folder, "clips")
        mkdirSync(clips)

        const run = Effect.fnUntraced(function*(file: string) {
          const job = yield* finished(client, (yield* submit(client, file, {})).id)
          assert.deepStrictEqual(decodersLeft(folder), [])
          const { warnings } = job.record as { readonly warnings?: ReadonlyArray<unknown> }
          return { job, end: job.error?.code ?? ((warnings ?? []).length > 0 ? "warned" : "whole") }
        })
        const ids: Array<string> = []
        // The empty file is refused before there is a job.
        for (const { ends, name, of } of hostileClips.filter(({ name }) => name !== "nothing")) {
          const { end, job } = yield* run(of({ ffmpeg, folder: clips }, port))
          ids.push(job.id)
          // A result without speech or readable text tells of that, too.
          if (ends === "whole") assert.include(["whole", "warned"], end, name)
          else assert.strictEqual(end, ends === "partial" ? "warned" : ends, name)
        }
        const originals = Object.entries(stock).slice(0, 4).map(([name, args]) => ({
          name,
          bytes: readFileSync(makeClip(ffmpeg, clips, name, args))
        }))
        for (const { bytes, kind, name } of mutants(originals, { count: 7, seed: 3 })) {
          const file = join(clips, "spoiled")
          writeFileSync(file, bytes)
          const { end, job } = yield* run(file)
          ids.push(job.id)
          assert.notStrictEqual(end, "INTERNAL", `${name}, ${kind}: ${job.error?.message}`)
          assert.include(["whole", "warned", ...JobFailureCode.literals], end, `${name}, ${kind}`)
        }
        assert.strictEqual(seen.connections, 0)
        assert.deepStrictEqual(readdirSync(temporary), [])

        const jobs = join(folder, "blobs", "jobs")
        assert.isTrue(ids.some((id) => existsSync(join(jobs, id))))
        for (const id of ids) assert.strictEqual(yield* Effect.promise(() => erase(base_url, api_key, id)), 200)
        assert.deepStrictEqual(ids.filter((id) => existsSync(join(jobs, id))), [])
      })),
    600_000
  )
})
