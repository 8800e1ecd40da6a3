import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { openEnvelope, readKeys, Unreadable } from "../../../tools/verify-manifest/Envelope.ts"
import { pullJob } from "../../../tools/verify-manifest/Pull.ts"
import { compareFolder } from "../../../tools/verify-manifest/Verification.ts"
import { jobId, leftBy, writeSigned } from "./signedFolder.ts"

/** What the service answers to a path, by the files of a folder. */
const answerOf = (folder: string, path: string): string | Buffer => {
  const file = (name: string) => readFileSync(join(folder, name))
  const json = (name: string) => JSON.parse(file(name).toString("utf8"))
  const [, of = path] = new RegExp(`^/v1/jobs/${jobId}(.*)$`, "u").exec(path.replace(/\?.*/u, "")) ?? []
  if (of === "") return JSON.stringify({ ...json("job.json"), result: json("result.json") })
  if (of === "/result") return JSON.stringify({ result: json("result.json") })
  if (of === "/schema") return JSON.stringify({ json_schema: json("schema.json") })
  if (of === "/.well-known/footnote-signing-keys") return file("signing-keys.json")
  if (of === "/graph") return file(path.includes("view=compact") ? "graph_compact.json" : "graph.json")
  if (of === "/frames" && !path.includes("include_raw=true")) {
    return JSON.stringify({
      frames: json("frames.json").frames.filter(({ kept }: { readonly kept: boolean }) => kept)
    })
  }
  const [, image] = /^\/frames\/(frm_\d+)\/image$/u.exec(of) ?? []
  if (image !== undefined) return file(`frames/${image}.jpg`)
  const format = /format=([a-z]+)/u.exec(path)?.[1] ?? "json"
  return file(`${of.slice(1)}.${format}`)
}

/** Pulls from a service that answers so to the requests by their number; undefined is what it has. */
const pulled = async (
  use: (folder: string, asked: number) => void,
  otherwise: (nth: number) => ((response: ServerResponse) => void) | undefined
) => {
  const signed = writeSigned(leftBy())
  const folder = mkdtempSync(join(tmpdir(), "footnote-pulled-"))
  let asked = 0
  const server = createServer((request, response) => {
    const other = otherwise(asked++)
    if (other === undefined) response.end(answerOf(signed, request.url!))
    else other(response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  try {
    await pullJob({ url: `http://127.0.0.1:${port}`, key: "k", job_id: jobId, folder })
    use(folder, asked)
  } finally {
    server.close()
    server.closeAllConnections()
    for (const path of [signed, folder]) rmSync(path, { recursive: true })
  }
}

const busy = (response: ServerResponse) =>
  void response.writeHead(429, { "retry-after": "0" }).end(
    "{\"error\":{\"code\":\"RATE_LIMITED\",\"message\":\"Later.\"}}"
  )

const breaks = (response: ServerResponse) =>
  void response.writeHead(200, { "content-length": 100 }).write("{", () => response.destroy())

const isWhole = (folder: string) => {
  const keys = readKeys(readFileSync(join(folder, "signing-keys.json")), "keys")
  const { statement } = openEnvelope(readFileSync(join(folder, "manifest.json")), "manifest.json", keys)
  expect(compareFolder(folder, statement).faults).toEqual([])
}

describe("footnote pull", () => {
  it("has all of a job, also from a service that says when to ask again", async () => {
    let least = 0
    await pulled((folder, asked) => {
      isWhole(folder)
      least = asked
    }, () => undefined)
    await pulled((folder, asked) => {
      isWhole(folder)
      expect(asked).toBeGreaterThan(least)
    }, (nth) => nth % 3 === 1 ? busy : undefined)
  })

  it("ends with the service's reason where that stays so, and where it refuses", async () => {
    await expect(pulled(() => undefined, () => busy)).rejects.toThrow(/: 429 Later$/u)
    const refused = pulled(() => undefined, () => (response) => response.writeHead(404, { "retry-after": "0" }).end())
    await expect(refused).rejects.toThrow(Unreadable)
  })

  it("says that a service does not answer whose answer breaks off", async () => {
    await expect(pulled(() => undefined, () => breaks)).rejects.toThrow(/does not answer$/u)
  })
})
