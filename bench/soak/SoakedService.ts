import { execFile } from "node:child_process"
import { mkdirSync, openSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { mintSecret } from "../../src/api-keys/ApiKeySecret.ts"
import type { Pool } from "../../src/processes/Pools.ts"
import { freePort, root } from "../chaos/ChaosService.ts"
import { keep, openDatabase } from "../ServiceProcesses.ts"

/** What `npm start` runs, which lives as long as the run. */
const lasting: ReadonlyArray<ReadonlyArray<Pool>> = [["media"], ["speech"], ["vision"], ["extraction"], ["delivery"]]

/** What is started again all the time beside it, and takes its share of the work. */
const restarted: ReadonlyArray<ReadonlyArray<Pool>> = [["media", "speech", "vision", "extraction"], ["delivery"]]

/**
 * The whole service in processes of its own over one database: an API process and a worker per pool that live as long as the
 * run, and an API process and workers beside them that are there to be restarted.
 */
export const openSoakedService = async () => {
  const folder = await mkdtemp(join(tmpdir(), "footnote-soak-"))
  const log = openSync(join(folder, "service.log"), "a")
  const database = await openDatabase(join(folder, "postgres"))
  const key = mintSecret()
  const env = {
    DATABASE_URL: database.url,
    FOOTNOTE_DATA: join(folder, "data"),
    FOOTNOTE_API_KEY: key,
    LOG_FORMAT: "json",
    // Its own, so that what processes leave in it can be counted.
    TMPDIR: join(folder, "tmp"),
    // Receivers and sources are on this machine.
    SOURCE_ALLOW_PRIVATE: "127.0.0.0/8",
    // One source per tenant is slow for as long as the run.
    FETCH_SLOTS: "8",
    FOOTNOTE_DELIVERY_SCHEDULE: ["0", "0.2", "0.5", "1", ...Array.from({ length: 60 }, () => "2")].join(",")
  }
  mkdirSync(env.TMPDIR)
  const ports = [await freePort(), await freePort()] as const
  const api = async (name: string, port: number) => {
    const process = keep(name, join(root, "src/main.ts"), [], { ...env, PORT: String(port) }, log)
    await process.ready()
    return process
  }
  const worker = (pools: ReadonlyArray<Pool>, which = "") =>
    keep(`${pools.length > 1 ? "all" : pools[0]}${which}`, join(root, "workers/main.ts"), pools, env, log)
  // The first one migrates.
  const kept = [await api("API", ports[0]), ...lasting.map((pools) => worker(pools))]
  const shaken = [await api("API restarted", ports[1]), ...restarted.map((pools) => worker(pools, " restarted"))]
  const processes = [...kept, ...shaken]
  await Promise.all(processes.map((process) => process.ready()))
  return {
    key,
    bases: ports.map((port) => `http://127.0.0.1:${port}`),
    database_url: database.url,
    blobs: join(env.FOOTNOTE_DATA, "blobs"),
    temporary: env.TMPDIR,
    folder,
    /** Pids by name, of those that live as long as the run too. */
    pids: () => [...processes.map(({ name, pid }) => [name, pid()] as const), ["PostgreSQL", database.pid()] as const],
    lasting: [...kept.map(({ name }) => name), "PostgreSQL"],
    shaken,
    tenant: async (name: string): Promise<string> => {
      const args = [join(root, "src/cli/tenants.ts"), "create", "--name", name]
      const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } })
      return stdout.trim()
    },
    stop: async () => {
      await Promise.all(processes.map((process) => process.stop()))
      await database.stop()
    },
    remove: () => rm(folder, { recursive: true, force: true })
  }
}
