import { spawn } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import { openSync } from "node:fs"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { mintSecret } from "../../src/api-keys/ApiKeySecret.ts"
import { writeRun } from "../Reliability.ts"
import { freePort, root } from "./ChaosService.ts"
import { makeDice } from "./Dice.ts"
import { noDisk, openDisk } from "./PowerDisk.ts"

/** What a client was told of a job that succeeded: the hash of each answer that it read before the cut. */
interface ToldJob {
  readonly id: string
  readonly read: Map<string, string>
}

const artifacts = [
  "",
  "/transcript",
  "/frames?include_raw=true",
  "/vision",
  "/graph",
  "/graph?view=canonical",
  "/evidence",
  "/manifest",
  "/schema"
]

const hashOf = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex")

/**
 * Cuts the power of the service's disk again and again while uploads and real jobs go through it, half of the times at the moment when
 * a job was told as succeeded, and starts the service on what the disk holds. Exits with 1 where anything that a client was
 * told before a cut (an upload's bytes, a key, a job, its result and artifacts) is not there byte for byte.
 */
export const cutPower = async (
  options: { readonly cuts: number; readonly seed: number; readonly write: boolean }
) => {
  const impossible = noDisk()
  if (impossible !== undefined) return console.log(`Skipped: ${impossible}.`)
  const { between, random } = makeDice(options.seed)
  const folder = await mkdtemp(join(tmpdir(), "footnote-power-"))
  const log = openSync(join(folder, "service.log"), "a")
  const disk = openDisk(folder)
  const data = join(disk.path, "data")
  const key = mintSecret()
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`

  /** The process group of the service that runs on the disk, also while it is not ready. */
  let group: number | undefined
  const start = async (): Promise<number> => {
    const { pid } = spawn(process.execPath, [join(root, "src/cli/start.ts")], {
      env: { ...process.env, FOOTNOTE_DATA: data, FOOTNOTE_API_KEY: key, PORT: String(port), LOG_FORMAT: "json" },
      detached: true,
      stdio: ["ignore", log, log]
    })
    group = pid!
    for (const began = performance.now(); performance.now() - began < 300_000; await delay(200)) {
      const ready = await fetch(`${base}/v1/jobs?limit=1`, { headers: { authorization: `Bearer ${key}` } }).then(
        ({ ok }) => ok,
        () => false
      )
      if (ready) return group
    }
    throw new Error(`The service does not start again. Log: ${join(folder, "service.log")}`)
  }

  const call = async (path: string, init: RequestInit = {}, bearer = key) => {
    const headers = { authorization: `Bearer ${bearer}`, ...init.headers as Record<string, string> | undefined }
    const response = await fetch(`${base}${path}`, { ...init, headers, signal: AbortSignal.timeout(60_000) })
    return { status: response.status, text: await response.text() }
  }
  const send = (path: string, body: object) =>
    call(path, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } })

  const told = {
    uploads: new Map<string, string>(),
    keys: new Set<string>(),
    jobs: new Set<string>(),
    succeeded: new Map<string, ToldJob>()
  }
  const wrong = new Map<string, number>()
  const checked = { uploads: 0, keys: 0, jobs: 0, artifacts: 0 }
  const lose = (what: string, id: string, why: string) => {
    wrong.set(what, (wrong.get(what) ?? 0) + 1)
    console.error(`${what}: ${id}: ${why}`)
  }

  const upload = async (bytes: Buffer<ArrayBuffer>) => {
    const answer = await call("/v1/uploads", {
      method: "POST",
      body: bytes,
      headers: { "content-type": "video/mp4" }
    })
    if (answer.status !== 201) throw new Error(answer.text)
    const { id, sha256, uri } = JSON.parse(answer.text) as { id: string; sha256: string; uri: string }
    if (sha256 !== hashOf(bytes)) lose("uploads with another hash", id, sha256)
    told.uploads.set(id, sha256)
    return uri
  }

  const clip = await readFile(join(root, "samples/product-demo.mp4"))
  /** Clients of one life of the service; they end with it. */
  const clients = (alive: () => boolean, succeeded: () => void) => {
    const loop = async (work: () => Promise<void>) => {
      while (alive()) await work().catch(() => delay(100))
    }
    return Promise.all([
      loop(async () => void (await upload(randomBytes(Math.ceil(between(1, 3_000_000)))))),
      loop(async () => {
        const answer = await send("/v1/api-keys", { name: "of a client" })
        if (answer.status === 201) told.keys.add((JSON.parse(answer.text) as { secret: string }).secret)
        await delay(500)
      }),
      loop(async () => {
        const waiting = [...told.jobs].filter((id) => !told.succeeded.has(id))
        if (waiting.length < 2) {
          const answer = await send("/v1/jobs", { source_uri: await upload(clip) })
          if (answer.status === 201) told.jobs.add((JSON.parse(answer.text) as { id: string }).id)
        }
        for (const id of waiting) {
          const { text } = await call(`/v1/jobs/${id}`)
          const { error, status } = JSON.parse(text) as { status: string; error: unknown }
          if (status === "failed") {
            told.jobs.delete(id)
            lose("jobs failed", id, JSON.stringify(error))
          }
          if (status !== "succeeded") continue
          const job = { id, read: new Map([["", hashOf(text)]]) }
          told.succeeded.set(id, job)
          succeeded()
          await readAll(job)
        }
        await delay(50)
      })
    ])
  }

  /** Reads everything of a job; answers what it cannot, and what is not what it was. */
  const readAll = async ({ id, read }: ToldJob): Promise<ReadonlyArray<string>> => {
    const bad: Array<string> = []
    const look = async (path: string) => {
      const { status, text } = await call(`/v1/jobs/${id}${path}`)
      const before = read.get(path)
      if (status !== 200) bad.push(`${path} ${status} ${text.slice(0, 200)}`)
      else if (before !== undefined && before !== hashOf(text)) bad.push(`${path} changed`)
      else read.set(path, hashOf(text))
      return status === 200 ? text : undefined
    }
    for (const path of artifacts) {
      const text = await look(path)
      if (path !== "/frames?include_raw=true" || text === undefined) continue
      const { frames } = JSON.parse(text) as { frames: ReadonlyArray<{ id: string; kept: boolean }> }
      for (const frame of frames) if (frame.kept) await look(`/frames/${frame.id}/image`)
    }
    return bad
  }

  const fileOf = async (id: string) => {
    const uploads = join(data, "blobs/uploads")
    for (const tenant of await readdir(uploads).catch(() => [])) {
      const bytes = await readFile(join(uploads, tenant, id)).catch(() => undefined)
      if (bytes !== undefined) return bytes
    }
    return undefined
  }

  const check = async () => {
    for (const [id, sha256] of told.uploads) {
      checked.uploads++
      const { status, text } = await call(`/v1/uploads/${id}`)
      const bytes = await fileOf(id)
      if (status !== 200 || (JSON.parse(text) as { sha256: string }).sha256 !== sha256) lose("uploads lost", id, text)
      else if (bytes === undefined || hashOf(bytes) !== sha256) {
        lose("uploads without their bytes", id, `${bytes?.length ?? "no"} bytes`)
      }
    }
    // Asked for once after the cut that they were told before: those that were checked have been synced since.
    told.uploads.clear()
    for (const secret of told.keys) {
      checked.keys++
      if ((await call("/v1/jobs?limit=1", {}, secret)).status !== 200) lose("keys lost", secret.slice(0, 8), "refused")
    }
    told.keys.clear()
    for (const id of told.jobs) {
      checked.jobs++
      const { status, text } = await call(`/v1/jobs/${id}`)
      if (status !== 200 && !told.succeeded.has(id)) {
        lose("jobs lost", id, text)
        told.jobs.delete(id)
      }
    }
    for (const [id, job] of told.succeeded) {
      checked.artifacts += job.read.size
      for (const bad of await readAll(job)) lose("artifacts lost or changed", id, bad)
      told.jobs.delete(id)
      told.succeeded.delete(id)
    }
  }

  const began = performance.now()
  try {
    let running = await start()
    for (let cut = 0; cut < options.cuts; cut++) {
      let alive = true
      const atSuccess = random() < 0.5
      const due = delay(between(1000, 20_000))
      const success = new Promise<void>((resolve) => void clients(() => alive, resolve))
      // A job that never succeeds must not hold up the cuts.
      await (atSuccess ? Promise.race([success.then(() => delay(between(0, 300))), delay(180_000)]) : due)
      await disk.cut(running)
      alive = false
      running = await start()
      await check()
    }
  } finally {
    await disk.close(group!)
  }
  const lost = [...wrong.values()].reduce((sum, n) => sum + n, 0)
  const seconds = Math.round((performance.now() - began) / 1000)
  console.table({ cuts: options.cuts, ...checked, lost })
  console.log(`${seconds} s`)
  if (options.write) {
    writeRun({
      title: "The power of the disk is cut",
      command: `npm run chaos -- power --cuts ${options.cuts} --seed ${options.seed}`,
      what:
        "Everything that `npm start` keeps lies on a file system of its own, which is shut down without its log being written, half of the "
        + "times at the moment when a job was told as succeeded; the service starts again on what the disk holds. What clients were told before "
        + "is asked for again and compared byte for byte.",
      figures: {
        cuts: options.cuts,
        seconds,
        "uploads that were told, looked at": checked.uploads,
        "keys that were told, looked at": checked.keys,
        "jobs that were told, looked at": checked.jobs,
        "results, artifacts and pictures that were read, looked at": checked.artifacts,
        "lost or changed": lost
      }
    })
  }
  if (lost > 0) {
    console.table(Object.fromEntries(wrong))
    console.error(`Something is wrong. Log: ${join(folder, "service.log")}`)
    process.exitCode = 1
  } else await rm(folder, { recursive: true, force: true })
}
