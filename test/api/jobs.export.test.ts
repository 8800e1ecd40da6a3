import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { Blobs } from "../../src/storage/Blobs.ts"
import { belongings } from "../support/Belongings.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

const scene = Effect.gen(function*() {
  const { ids, tenant } = yield* belongings("a")
  return { id: ids.job[2]!, ids, key: tenant.key }
})

const download = async (url: string, key: string) => {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
  const whole = await response.arrayBuffer().then((bytes) => Buffer.from(bytes), () => undefined)
  return { response, whole }
}

const bytesOf = Effect.fn("bytesOf")(function*(key: string, id: string) {
  const { base_url } = yield* TestServer
  return yield* Effect.promise(() => download(`${base_url}/v1/jobs/${id}/export`, key))
})

const noPython = spawnSync("python3", ["--version"]).status !== 0
if (noPython) process.stderr.write("No python3: whether others can open the zip file is not tested.\n")

/** What is in a zip file to a program that is not ours. */
const listed = (zip: Buffer): ReadonlyArray<string> => {
  const folder = mkdtempSync(join(tmpdir(), "footnote-zip-"))
  try {
    writeFileSync(join(folder, "a.zip"), zip)
    const script =
      "import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\nprint('\\n'.join(z.namelist()))"
    const run = spawnSync("python3", ["-c", script, join(folder, "a.zip")], { encoding: "utf8" })
    assert.strictEqual(run.status, 0, run.stderr)
    return run.stdout.trim().split("\n")
  } finally {
    rmSync(folder, { recursive: true })
  }
}

layer(Server.layer, { excludeTestServices: true })("GET /v1/jobs/{id}/export", (it) => {
  describe("200", () => {
    it.effect.skipIf(noPython)(
      "is a zip file with everything that a job left, the same bytes each time, and 304 for its tag",
      () =>
        Effect.gen(function*() {
          const { send } = yield* TestServer
          const { id, key } = yield* scene
          const { response, whole } = yield* bytesOf(key, id)
          assert.strictEqual(response.headers.get("content-type"), "application/zip")
          assert.strictEqual(response.headers.get("content-disposition"), `attachment; filename="${id}.zip"`)
          assert.sameMembers([...listed(whole!)], [
            ...["manifest", "signing-keys", "job", "schema", "result", "transcript", "frames", "vision", "graph"].map(
              (name) => `${name}.json`
            ),
            "graph_compact.json",
            "evidence.json",
            "reviews.json",
            "result.reviewed.json",
            "evidence.reviewed.json",
            "frames/frm_000000.jpg",
            ...["srt", "vtt", "txt", "stm", "ctm", "rttm"].map((format) => `transcript.${format}`)
          ])
          assert.deepStrictEqual((yield* bytesOf(key, id)).whole, whole)
          const again = yield* send("GET", `/v1/jobs/${id}/export`, {
            key,
            headers: { "if-none-match": response.headers.get("etag")! }
          })
          assert.strictEqual(again.status, 304)
        })
    )

    it.effect("breaks off where a frame is not what was written, so that nobody takes it for whole", () =>
      Effect.gen(function*() {
        const { id, key } = yield* scene
        const { put } = yield* Blobs
        yield* put(`jobs/${id}/extract/0/0/source`, Buffer.from("changed"))
        const { response, whole } = yield* bytesOf(key, id)
        assert.strictEqual(response.status, 200)
        assert.isUndefined(whole)
      }))
  })

  it.effect("409 JOB_NOT_SUCCEEDED for a job that is at work or was cancelled", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { ids, key } = yield* scene
      for (const id of ids.job.slice(0, 2)) {
        const answer = yield* send("GET", `/v1/jobs/${id}/export`, { key })
        assert.deepStrictEqual([answer.status, answer.json.error.code], [409, "JOB_NOT_SUCCEEDED"])
      }
    }))

  it.effect("500 ARTIFACT_DAMAGED before the first byte where a text is lost, naming it", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { id, key } = yield* scene
      const { removeAll } = yield* Blobs
      yield* removeAll(`jobs/${id}/extract/0/0/evidence`)
      const answer = yield* send("GET", `/v1/jobs/${id}/export`, { key })
      assert.deepStrictEqual([answer.status, answer.json.error.code], [500, "ARTIFACT_DAMAGED"])
      assert.strictEqual(answer.json.error.details[0].path, "evidence")
    }))
})
