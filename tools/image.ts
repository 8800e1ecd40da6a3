import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { type AddressInfo, connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { homedir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { openDatabase } from "../bench/ServiceProcesses.ts"
import { mintSecret } from "../src/api-keys/ApiKeySecret.ts"
import { derivedKeysOf } from "../src/crypto/PurposeKey.ts"

/**
 * `npm run image -- build [NODE_IMAGE=…]`: builds the CPU image by buildah and prints its size. `npm run image -- try`: runs migration, API and
 * every pool from it as a user who is not root, puts one job through, and ends all by SIGTERM; exits with 1 where any of it fails.
 * Without buildah both say so and do nothing.
 */
const root = fileURLToPath(new URL("..", import.meta.url))
const tag = "localhost/footnote:cpu"
/** Overlay file systems cannot be stacked in a container; copies can. */
const buildah = ["--storage-driver", process.env.STORAGE_DRIVER ?? "vfs"]
/** What an image may come to (MB). */
const most = 900

const run = (args: ReadonlyArray<string>) => spawnSync("buildah", [...buildah, ...args], { encoding: "utf8" })

const size = (): number => {
  const [{ size }] = JSON.parse(run(["images", "--json", tag]).stdout) as [{ readonly size: string }]
  const [, figure, unit] = /^([\d.]+) (MB|GB)$/u.exec(size) ?? []
  return Number(figure) * (unit === "GB" ? 1000 : 1)
}

const tell = () => {
  const megabytes = size()
  console.log(`${megabytes <= most ? "ok  " : "FAIL"} ${tag}: ${megabytes} MB of at most ${most}`)
  if (megabytes > most) process.exitCode = 1
}

/** This machine's own certificates and registry, which a build needs and no image keeps. */
const mounts = [
  [join(homedir(), ".npmrc"), "/root/.npmrc"],
  ["/etc/npmrc", "/usr/local/etc/npmrc"],
  ["/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/certs/ca-certificates.crt"]
].filter(([path]) => existsSync(path!)).flatMap(([from, to]) => ["--volume", `${from}:${to}:ro`])

const build = (given: ReadonlyArray<string>) => {
  // Docker's format: OCI's has no health check, and drops that of the file.
  const bud = [
    "bud",
    "--format",
    "docker",
    "--isolation",
    "chroot",
    "--pull=false",
    ...mounts,
    "-t",
    tag,
    "-f",
    "Dockerfile"
  ]
  const base = given.flatMap((argument) => ["--build-arg", argument])
  const { status } = spawnSync("buildah", [...buildah, ...bud, ...base, "."], { cwd: root, stdio: "inherit" })
  if (status !== 0) return void (process.exitCode = 1)
  tell()
}

const until = async (what: string, holds: () => Promise<boolean>, seconds: number) => {
  for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
    if (await holds().catch(() => false)) return console.log(`ok   ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error(`not within ${seconds} s: ${what}`)
}

const ended = (child: ChildProcess) =>
  new Promise<number>((resolve) => {
    if (child.exitCode !== null) return resolve(child.exitCode)
    child.once("exit", (code, signal) => resolve(code ?? (signal === null ? 1 : 128)))
  })

const tryOut = async () => {
  tell()
  const folder = mkdtempSync(join(tmpdir(), "footnote-image-"))
  const blobs = join(folder, "blobs")
  mkdirSync(blobs)
  const children: Array<ChildProcess> = []
  const containers: Array<string> = []
  chmodSync(folder, 0o755)
  spawnSync("chown", ["1000:1000", blobs])
  const database = await openDatabase(join(folder, "postgres"))
  // The server's socket is its user's alone: whoever is somebody else in a container comes by TCP.
  const address = new URL(database.url)
  const socket = { path: `${address.searchParams.get("host")}/.s.PGSQL.5432` }
  const door = createServer((client) => {
    const server = connect(socket)
    for (const end of [client, server]) end.on("error", () => [client, server].forEach((one) => one.destroy()))
    client.pipe(server).pipe(client)
  })
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve))
  const login = address.searchParams.get("user")
  const port = "18491"
  const key = mintSecret()
  const sealing = { FOOTNOTE_ENCRYPTION_KEY: randomBytes(32).toString("base64") }
  const env = {
    ...sealing,
    ...derivedKeysOf(sealing),
    DATABASE_URL: `postgres://${login}@127.0.0.1:${(door.address() as AddressInfo).port}/postgres`,
    FOOTNOTE_SIGNING_KEY: generateKeyPairSync("ed25519").privateKey.export({ format: "der", type: "pkcs8" })
      .toString("base64"),
    FOOTNOTE_API_KEY: key,
    PORT: port,
    HOST: "127.0.0.1",
    BLOB_DIR: "/blobs"
  }
  const start = (...command: ReadonlyArray<string>) => {
    const container = run(["from", "--pull=false", tag]).stdout.trim()
    containers.push(container)
    const words = [
      "--isolation",
      "chroot",
      "--user",
      "1000:1000",
      "--volume",
      `${blobs}:/blobs`
    ]
    // They share this machine's network, and so its ports.
    const given = Object.entries({ ...env, METRICS_PORT: String(19_464 + children.length) }).flatMap((
      [name, value]
    ) => ["--env", `${name}=${value}`])
    const child = spawn("buildah", [...buildah, "run", ...words, ...given, container, "--", "tini", "--", ...command], {
      stdio: ["ignore", "inherit", "inherit"]
    })
    children.push(child)
    return child
  }
  const ask = async (path: string, body?: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) })
    })
    return (await answer.json()) as Readonly<Record<string, unknown>>
  }
  try {
    if (await ended(start("node", "src/cli/migrate.ts")) !== 0) throw new Error("the migration failed")
    console.log("ok   migrates")
    start("node", "src/main.ts")
    start("node", "workers/main.ts", "media", "speech", "vision", "extraction")
    start("node", "workers/main.ts", "delivery")
    await until("API and workers are ready", async () => (await ask("/readyz")).status === "ready", 120)
    const { id } = await ask("/v1/jobs", { source_uri: "sample://product-demo" })
    await until("a job succeeds", async () => (await ask(`/v1/jobs/${String(id)}`)).status === "succeeded", 240)
  } catch (error) {
    console.log(`FAIL ${String(error)}`)
    process.exitCode = 1
  } finally {
    for (const child of children) child.kill("SIGTERM")
    await Promise.all(children.map(ended))
    for (const container of containers) run(["rm", container])
    door.close()
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const [word, ...given] = process.argv.slice(2)
if (spawnSync("buildah", ["--version"]).status !== 0) {
  console.log("buildah is not installed: no image is built or tried.")
} else if (word === "build") build(given)
else if (word === "try") await tryOut()
else {
  console.error("npm run image -- build|try")
  process.exitCode = 2
}
