import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Unreadable } from "./Envelope.ts"

const artifacts: Readonly<Record<string, string>> = {
  "manifest.json": "manifest",
  "transcript.json": "transcript?format=json&speakers=as_heard",
  "frames.json": "frames?include_raw=true",
  "vision.json": "vision",
  "graph.json": "graph?view=canonical&speakers=as_heard",
  "graph_compact.json": "graph?view=compact&speakers=as_heard",
  "evidence.json": "evidence?speakers=as_heard"
}
const formats = ["srt", "vtt", "txt", "stm", "ctm", "rttm"]

/** Answers that say when to ask again, and how often and how long at most that is done: a job may have more frames than a minute's reads. */
const passing = new Set([408, 429, 503])
const mostTries = 5
const longestWait = 120

/** Seconds until the service wants to be asked again; undefined where it does not. */
const waitOf = (response: Response): number | undefined => {
  const said = response.headers.get("retry-after") ?? ""
  return passing.has(response.status) && /^\d{1,6}$/u.test(said) ? Math.min(Number(said), longestWait) : undefined
}

/** A job of a service, and the folder that it is to be in. */
export interface Pulled {
  readonly url: string
  readonly key: string | undefined
  readonly job_id: string
  readonly folder: string
}

/**
 * Fetches everything that a succeeded job left into a folder, by the names that the manifest has. Files that are there are replaced.
 * Where the service
 * says when to ask again, it is asked then. Throws `Unreadable` where the service refuses, with its reason.
 */
export const pullJob = async ({ folder, job_id, key, url }: Pulled): Promise<void> => {
  if (key === undefined || key === "") throw new Unreadable("Set FOOTNOTE_API_KEY to an API key of the job's tenant")
  const ask = async (path: string) => {
    try {
      const response = await fetch(new URL(path, url), {
        headers: { authorization: `Bearer ${key}` },
        signal: AbortSignal.timeout(120_000)
      })
      return { response, bytes: Buffer.from(await response.arrayBuffer()) }
    } catch (error) {
      throw error instanceof TypeError && "code" in error ? error : new Unreadable(`${url} does not answer`)
    }
  }
  const get = async (path: string): Promise<Buffer> => {
    for (let tries = 1;; tries++) {
      const { bytes, response } = await ask(path)
      if (response.ok) return bytes
      const wait = tries < mostTries ? waitOf(response) : undefined
      if (wait === undefined) {
        const message = /"message":"((?:[^"\\]|\\.)*)"/u.exec(bytes.toString("utf8"))?.[1]
        throw new Unreadable(`${path}: ${response.status} ${(message ?? "").replace(/\.$/u, "")}`)
      }
      await sleep(wait * 1000)
    }
  }
  const of = (path: string) => get(`/v1/jobs/${encodeURIComponent(job_id)}${path}`)
  const keep = (name: string, bytes: Buffer | string) => writeFileSync(join(folder, name), bytes)

  const { result: _, ...job } = JSON.parse((await of("")).toString("utf8"))
  // Names that people gave to the speakers since are not what was signed.
  const { result } = JSON.parse((await of("/result?speakers=as_heard")).toString("utf8"))
  mkdirSync(join(folder, "frames"), { recursive: true })
  keep("job.json", JSON.stringify(job))
  keep("result.json", JSON.stringify(result))
  keep("schema.json", JSON.stringify(JSON.parse((await of("/schema")).toString("utf8")).json_schema))
  keep("signing-keys.json", await get("/.well-known/footnote-signing-keys"))
  for (const [name, path] of Object.entries(artifacts)) keep(name, await of(`/${path}`))
  for (const format of formats) keep(`transcript.${format}`, await of(`/transcript?format=${format}&speakers=as_heard`))
  const { frames } = JSON.parse((await of("/frames")).toString("utf8"))
  for (const { id } of frames) {
    if (/^frm_\d+$/u.test(id)) keep(`frames/${id}.jpg`, await of(`/frames/${id}/image`))
  }
}
