import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chmodSync, lstatSync, mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { api, ended, folder } from "../support/ApiProcess.ts"
import { deployment, finished, submit } from "../support/Deployment.ts"
import { shortClip } from "../support/ShortClip.ts"

/** Group that a decoder of its own user reads its input by, where the worker is root. */
const decoders = 65_533

/** Files and folders that others than their owner can read, with their modes. */
const open = (root: string): ReadonlyArray<string> =>
  readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name)
    const { gid, mode } = lstatSync(path)
    const wrong = entry.isSymbolicLink() || entry.isSocket() ? 0 : mode & (gid === decoders ? 0o007 : 0o077)
    return wrong === 0 ? [] : [`${path} ${(mode & 0o777).toString(8)}`]
  })

describe("what the service writes", () => {
  it.live(
    "is its user's alone: uploads, sources, frames, artifacts and logs, with the usual umask of a shell",
    () =>
      Effect.gen(function*() {
        const usual = process.umask(0o022)
        yield* Effect.addFinalizer(() => Effect.sync(() => process.umask(usual)))
        const { client, folder } = yield* deployment({})
        const job = yield* finished(client, (yield* submit(client, yield* shortClip(folder), {})).id)
        assert.strictEqual(job.status, "succeeded", JSON.stringify(job.error))
        assert.isAbove(readdirSync(join(folder, "blobs"), { recursive: true }).length, 10)
        assert.deepStrictEqual(open(folder).filter((line) => !line.includes("/short.mp4 ")), [])
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
    600_000
  )

  it.live("is closed to others at the next start where an earlier version left it open", () =>
    Effect.gen(function*() {
      const data = yield* folder
      mkdirSync(join(data, "blobs"))
      chmodSync(data, 0o755)
      const refused = yield* api({ FOOTNOTE_DATA: data, DATABASE_URL: "postgres://127.0.0.1:1/none" })
      yield* ended(refused.child)
      assert.strictEqual(lstatSync(data).mode & 0o777, 0o700)
    }).pipe(Effect.scoped))

  it.live("leaves alone a folder that is not the service's, and says so", () =>
    Effect.gen(function*() {
      const data = yield* folder
      mkdirSync(join(data, "holiday"))
      chmodSync(data, 0o755)
      const refused = yield* api({ FOOTNOTE_DATA: data, DATABASE_URL: "postgres://127.0.0.1:1/none" })
      yield* ended(refused.child)
      assert.strictEqual(lstatSync(data).mode & 0o777, 0o755)
      assert.include(refused.output(), `${data} has mode 0755`)
    }).pipe(Effect.scoped))

  it.live("refuses a umask that would let others read", () =>
    Effect.gen(function*() {
      const refused = yield* api({ FOOTNOTE_DATA: yield* folder, FOOTNOTE_UMASK: "022" })
      assert.strictEqual(yield* ended(refused.child), 1)
      assert.include(refused.output(), "FOOTNOTE_UMASK must be")
    }).pipe(Effect.scoped))
})
