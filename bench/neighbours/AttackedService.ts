import { Effect } from "effect"
import { execFile } from "node:child_process"
import { openSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { mintSecret } from "../../src/api-keys/ApiKeySecret.ts"
import { freePort } from "../../src/cli/LocalService.ts"
import { keep, openDatabase } from "../ServiceProcesses.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** The other end of what tenants name: a source that drips, a hook that hangs, and a vendor that is always busy. */
export const openOutside = async () => {
  const server = createServer((request, response) => {
    if (request.url === "/hang") return
    if (request.url !== "/drip.mp4") return void response.writeHead(503, { "retry-after": "1" }).end()
    response.writeHead(200, { "content-type": "video/mp4", "content-length": "100000000" })
    const timer = setInterval(() => response.write("x"), 3000)
    response.on("close", () => clearInterval(timer))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as { readonly port: number }
  return {
    base: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

/** The whole service in processes of its own, as `npm start` runs it, with the default limits of a tenant. */
export const openService = async (outside: string) => {
  const folder = await mkdtemp(join(tmpdir(), "footnote-neighbours-"))
  const log = openSync(join(folder, "service.log"), "a")
  const database = await openDatabase(join(folder, "postgres"))
  const key = mintSecret()
  const port = await Effect.runPromise(freePort)
  const env = {
    DATABASE_URL: database.url,
    FOOTNOTE_DATA: join(folder, "data"),
    FOOTNOTE_API_KEY: key,
    PORT: String(port),
    LOG_FORMAT: "json",
    // The sources that drip and the hooks that hang are on this machine.
    SOURCE_ALLOW_PRIVATE: "127.0.0.0/8",
    FOOTNOTE_GOOGLE_TOKEN_BASE_URL: outside,
    FOOTNOTE_SHEETS_BASE_URL: outside
  }
  const api = keep("API", join(root, "src/main.ts"), [], env, log)
  await api.ready()
  const workers = [["media"], ["speech"], ["vision"], ["extraction"], ["delivery"]].map((pools) =>
    keep(pools.join(" "), join(root, "workers/main.ts"), pools, env, log)
  )
  await Promise.all(workers.map((worker) => worker.ready()))
  return {
    base: `http://127.0.0.1:${port}`,
    key,
    /** A key of one more tenant. */
    tenant: async (name: string): Promise<string> => {
      const args = [join(root, "src/cli/tenants.ts"), "create", "--name", name]
      const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } })
      return stdout.trim()
    },
    close: async () => {
      await Promise.all([api, ...workers].map((process) => process.stop()))
      await database.stop()
      await rm(folder, { recursive: true, force: true })
    }
  }
}
