import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chmodSync, lstatSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { api, ended, folder } from "../support/ApiProcess.ts"

describe("the folder of the service", () => {
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
