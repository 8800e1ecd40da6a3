import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { appendFileSync, chmodSync, chownSync, mkdirSync, openSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { mintSecret } from "../../../src/api-keys/ApiKeySecret.ts"
import * as Postmaster from "../../../src/database/Postmaster.ts"
import { root } from "../ChaosService.ts"
import type { HostNetwork } from "./HostNetwork.ts"

export const apis = ["api1", "api2"] as const
export const workers = ["worker1", "worker2", "worker3", "worker4"] as const
/** The clients are where the receiver is. */
export const hostNames: ReadonlyArray<string> = [...apis, ...workers, "delivery", "database", "blobs", "receiver"]

const nobody = 65_534

/**
 * A deployment over hosts: PostgreSQL, S3, two APIs, four workers of imagined stages, or of `real` ones, and one of deliveries. Whatever
 * ends is started again.
 */
export const openHosts = async (network: HostNetwork, folder: string, real: boolean) => {
  const log = openSync(join(folder, "service.log"), "a")
  const key = mintSecret()
  const children = new Set<ChildProcess>()
  let stopped = false
  let restarts = 0
  const launch = (host: string, command: ReadonlyArray<string>, env: Readonly<Record<string, string>>) =>
    new Promise<void>((resolve) => {
      const start = () => {
        const child = spawn("ip", network.on(host, process.execPath, ...command), {
          env: { ...process.env, ...env },
          stdio: ["ignore", log, log, "ipc"]
        })
        children.add(child)
        child.on("message", (said) => {
          if (typeof said === "object" && "ready" in said) resolve()
        })
        child.once("exit", () => {
          children.delete(child)
          if (stopped) return
          restarts++
          setTimeout(start, 200)
        })
      }
      start()
    })

  const cluster = join(folder, "postgres")
  const bin = dirname((await Postmaster.locate(cluster, false)).binaries.postgres)
  // The database's own user has to come by.
  chmodSync(folder, 0o755)
  mkdirSync(cluster)
  chownSync(cluster, nobody, nobody)
  const asNobody = ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"]
  const onDatabase = (...command: ReadonlyArray<string>) =>
    execFileSync("ip", network.on("database", ...asNobody, ...command), { stdio: ["ignore", log, log] })
  const data = join(cluster, "data")
  onDatabase(join(bin, "initdb"), "-D", data, "-U", "footnote", "-A", "trust")
  appendFileSync(join(data, "pg_hba.conf"), "host all all 10.232.0.0/16 trust\n")
  const options = `-c listen_addresses=${network.addressOf("database")} -c max_connections=200 -k ${cluster}`
  onDatabase(join(bin, "pg_ctl"), "-D", data, "-w", "-l", join(cluster, "log"), "-o", options, "start")

  mkdirSync(join(folder, "blobs"))
  const blobHost = fileURLToPath(new URL("blob-host.ts", import.meta.url))
  await launch("blobs", [blobHost, network.addressOf("blobs"), join(folder, "blobs")], {})
  const env = {
    DATABASE_URL: `postgres://footnote@${network.addressOf("database")}/postgres`,
    BLOB_S3_BUCKET: "blobs",
    BLOB_S3_ENDPOINT: `http://${network.addressOf("blobs")}:9000`,
    BLOB_S3_ACCESS_KEY_ID: "S3RVER",
    BLOB_S3_SECRET_ACCESS_KEY: "S3RVER",
    LOG_FORMAT: "json",
    SOURCE_ALLOW_PRIVATE: "10.232.0.0/16"
  }
  const own = (host: string) => ({ ...env, FOOTNOTE_DATA: join(folder, host) })
  const sealing = { FOOTNOTE_ENCRYPTION_KEY: randomBytes(32).toString("base64") }
  const { privateKey } = generateKeyPairSync("ed25519")
  const api = {
    ...sealing,
    FOOTNOTE_SIGNING_KEY: privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
    FOOTNOTE_API_KEY: key,
    HOST: "0.0.0.0",
    PORT: "8080",
    RATE_LIMIT_READS: "0",
    RATE_LIMIT_WRITES: "0",
    RATE_LIMIT_PROCESSOR_MS: "0"
  }
  for (const host of apis) await launch(host, [join(root, "src/main.ts")], { ...own(host), ...api })
  const pools = ["fetch", "media", "speech", "vision", "extraction"]
  const imagined = JSON.stringify({ pools, at_least: 5, at_most: 50, results: true })
  const worker = real
    ? [join(root, "workers/main.ts"), ...pools]
    : [join(root, "test/support/noop-worker.ts"), imagined]
  await Promise.all([
    ...workers.map((host) => launch(host, worker, { ...own(host), ...(real ? sealing : {}) })),
    launch("delivery", [join(root, "workers/main.ts"), "delivery"], {
      ...own("delivery"),
      ...sealing,
      FOOTNOTE_DELIVERY_SCHEDULE: Array.from({ length: 60 }, () => "2").join(",")
    })
  ])

  return {
    key,
    /** By the server's socket, which no cut concerns. */
    books: `postgres:///postgres?host=${encodeURIComponent(cluster)}&user=footnote`,
    origins: apis.map((host) => `http://${network.addressOf(host)}:8080`),
    restarts: () => restarts,
    close: async () => {
      stopped = true
      const all = [...children]
      for (const child of all) child.kill("SIGTERM")
      const end = setTimeout(() => all.forEach((child) => child.kill("SIGKILL")), 15_000)
      await Promise.all(all.map((child) =>
        new Promise((resolve) => {
          if (child.exitCode !== null || child.signalCode !== null) resolve(undefined)
          child.once("exit", resolve)
        })
      ))
      clearTimeout(end)
      onDatabase(join(bin, "pg_ctl"), "-D", data, "-m", "immediate", "stop")
    }
  }
}
