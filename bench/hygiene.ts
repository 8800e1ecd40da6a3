import { Effect } from "effect"
import { fork } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { mintSecret } from "../src/api-keys/ApiKeySecret.ts"
import { freePort } from "../src/cli/LocalService.ts"
import { signIn } from "../test/support/SignIn.ts"
import { malformedRequests } from "./hygiene/MalformedRequests.ts"
import { sendAll } from "./hygiene/RawSender.ts"
import { openDatabase } from "./ServiceProcesses.ts"

const requests = 100_000
const width = 96
const seed = 7

const residentMiB = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/mu.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024

/** `--count=N` sends another number of malformed requests to a real API process over raw sockets; `--seed=N` others. */
export const run = async (args: ReadonlyArray<string>): Promise<void> => {
  const option = (name: string, otherwise: number) =>
    Number(args.find((arg) => arg.startsWith(`--${name}=`))?.split("=")[1] ?? otherwise)
  const count = option("count", requests)
  const folder = mkdtempSync(join(tmpdir(), "footnote-hygiene-"))
  const database = await openDatabase(join(folder, "postgres"))
  const key = mintSecret()
  const port = await Effect.runPromise(freePort)
  const api = fork(fileURLToPath(new URL("../src/main.ts", import.meta.url)), [], {
    // A leak would end the process instead of hiding in a heap that grows because it may.
    execArgv: ["--max-old-space-size=320"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      FOOTNOTE_DATA: folder,
      FOOTNOTE_API_KEY: key,
      PORT: String(port),
      LOG_FORMAT: "json",
      // What is malformed is looked at, not how often.
      TRUST_PROXY: "127.0.0.1",
      RATE_LIMIT_READS: "0",
      RATE_LIMIT_WRITES: "0",
      RATE_LIMIT_PROCESSOR_MS: "0",
      RATE_LIMIT_UPLOADS: "0",
      RATE_LIMIT_FAILED_AUTH: "0"
    }
  })
  const ended = new Promise<void>((resolve) => api.once("exit", () => resolve()))
  try {
    await new Promise<void>((resolve, reject) => {
      api.once("message", () => resolve())
      api.once("exit", (code) => reject(new Error(`The API ended with ${code}`)))
    })
    const signed_in = await signIn(`http://127.0.0.1:${port}`, key)
    const source = malformedRequests(option("seed", seed), key, signed_in)
    const byStatus = new Map<string, number>()
    const serverErrors: Array<string> = []
    const send = (share: number) =>
      sendAll(port, source, share, width, ({ bytes, kind }, { head, status }) => {
        byStatus.set(String(status), (byStatus.get(String(status)) ?? 0) + 1)
        if (typeof status === "number" && status >= 500) {
          serverErrors.push(
            `${kind}: ${JSON.stringify(bytes.toString("latin1").slice(0, 300))}\n  ${head.slice(0, 400)}`
          )
        }
      })
    const started = performance.now()
    const memory: Array<number> = [residentMiB(api.pid!)]
    for (let tenth = 0; tenth < 10; tenth++) {
      await send(count / 10)
      memory.push(residentMiB(api.pid!))
    }
    const seconds = (performance.now() - started) / 1000
    const health = await fetch(`http://127.0.0.1:${port}/healthz`)
    console.log(
      `${count} malformed requests in ${seconds.toFixed(0)} s, ${width} at a time, seed ${option("seed", seed)}`
    )
    for (const [status, times] of [...byStatus].toSorted()) {
      console.log(`  ${status.padEnd(5)} ${String(times).padStart(7)}`)
    }
    console.log(`5xx: ${serverErrors.length}; the process lives: ${health.status === 200}`)
    console.log(`resident memory, MiB, at each tenth: ${memory.map((mib) => mib.toFixed(0)).join(" ")}`)
    for (const example of serverErrors.slice(0, 10)) console.log(example)
  } finally {
    api.kill("SIGTERM")
    await ended
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
