import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process"
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from "node:fs"
import { type AddressInfo, connect, createServer } from "node:net"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { openDatabase } from "../bench/ServiceProcesses.ts"
import { mintSecret } from "../src/api-keys/ApiKeySecret.ts"
import { derivedKeysOf } from "../src/crypto/PurposeKey.ts"

/**
 * `npm run image -- build [NODE_IMAGE=…]`: builds the CPU image by buildah and prints its size; `build-gpu` the image for
 * GPUs, over Vulkan on Node's image, or with `EXECUTION_PROVIDER=cuda` and the rest of its arguments on CUDA's.
 * `npm run image -- try`: runs migration, API and every pool from it, each in a container of its own as a user who is not root, asks
 * each by the image's health check, puts one job through, ends all by SIGTERM, after which each has to exit with 0, and looks whether
 * any wrote where a read-only root lets nobody; exits with 1 where any of it fails. Without buildah all say so and do nothing.
 */
const root = fileURLToPath(new URL("..", import.meta.url))
const tag = "localhost/footnote:cpu"
const gpuTag = "localhost/footnote:gpu"
/** Overlay file systems cannot be stacked in a container; copies can. */
const buildah = ["--storage-driver", process.env.STORAGE_DRIVER ?? "vfs"]
/** What an image may come to (MB). */
const most = 900

const run = (args: ReadonlyArray<string>) => spawnSync("buildah", [...buildah, ...args], { encoding: "utf8" })

/** As `run`, but others go on meanwhile: the door to the database is this process's. */
const runBeside = (args: ReadonlyArray<string>) => promisify(execFile)("buildah", [...buildah, ...args])

const size = (image: string): number => {
  const [{ size }] = JSON.parse(run(["images", "--json", image]).stdout) as [{ readonly size: string }]
  const [, figure, unit] = /^([\d.]+) (MB|GB)$/u.exec(size) ?? []
  return Number(figure) * (unit === "GB" ? 1000 : 1)
}

const tell = () => {
  const megabytes = size(tag)
  console.log(`${megabytes <= most ? "ok  " : "FAIL"} ${tag}: ${megabytes} MB of at most ${most}`)
  if (megabytes > most) process.exitCode = 1
}

/** This machine's own certificates and registry, which a build needs and no image keeps. */
const mounts = [
  [join(homedir(), ".npmrc"), "/root/.npmrc"],
  ["/etc/npmrc", "/usr/local/etc/npmrc"],
  ["/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/certs/ca-certificates.crt"]
].filter(([path]) => existsSync(path!)).flatMap(([from, to]) => ["--volume", `${from}:${to}:ro`])

/** Answers whether it was built. The format is Docker's: OCI's has no health check, and drops that of the file. */
const built = (image: string, file: string, given: ReadonlyArray<string>): boolean => {
  const bud = ["bud", "--format", "docker", "--isolation", "chroot", "--pull=false", ...mounts, "-t", image, "-f", file]
  const base = given.flatMap((argument) => ["--build-arg", argument])
  const { status } = spawnSync("buildah", [...buildah, ...bud, ...base, "."], { cwd: root, stdio: "inherit" })
  if (status !== 0) process.exitCode = 1
  return status === 0
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

/** What the image says that its health is asked by. */
const healthCheck = (): ReadonlyArray<string> => {
  const { Docker } = JSON.parse(run(["inspect", "--type", "image", tag]).stdout) as {
    readonly Docker: { readonly config?: { readonly Healthcheck?: { readonly Test?: ReadonlyArray<string> } } }
  }
  const [how, ...command] = Docker.config?.Healthcheck?.Test ?? []
  if (how !== "CMD") throw new Error(`${tag} has no health check`)
  return command
}

/** Tells whether something holds; the command fails where it does not. */
const say = (what: string, holds: boolean) => {
  console.log(`${holds ? "ok  " : "FAIL"} ${what}`)
  if (!holds) process.exitCode = 1
}

interface Started {
  readonly name: string
  readonly child: ChildProcess
  readonly healthy: () => Promise<boolean>
}

const pools = ["media", "speech", "vision", "extraction", "delivery"]

/** A container's processes, parents first: buildah hands no signal on, and its chroot has no process ids of its own. */
const processesOf = (buildahPid: number): ReadonlyArray<{ readonly pid: number; readonly name: string }> => {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" })
  const all = stdout.trim().split("\n").map((line) => {
    const [pid, parent, ...name] = line.trim().split(/\s+/u)
    return { pid: Number(pid), parent: Number(parent), name: name.join(" ") }
  })
  const below = (pid: number): typeof all =>
    all.filter(({ parent }) => parent === pid).flatMap((one) => [one].concat(below(one.pid)))
  return below(buildahPid)
}

/**
 * What the containers' user has written since then where a read-only root would have refused it: all but /tmp, which is memory
 * there, and volumes. A chroot has its root as it is, so it is looked at afterwards.
 */
const writtenIn = (container: string, since: Date): ReadonlyArray<string> => {
  const mounted = run(["mount", container]).stdout.trim()
  if (mounted === "") throw new Error(`${container} cannot be mounted`)
  const written = ["-user", "1000", "-type", "f", "-newermt", since.toISOString()]
  const { status, stderr, stdout } = spawnSync("find", [mounted, "-xdev", ...written], { encoding: "utf8" })
  run(["umount", container])
  if (status !== 0) throw new Error(stderr)
  return stdout.split("\n").map((path) => path.slice(mounted.length)).filter((path) =>
    /^\/(?!(?:tmp|data|blobs)\/)/u.test(path)
  )
}

const tryOut = async () => {
  tell()
  const began = new Date()
  const folder = mkdtempSync(join(tmpdir(), "footnote-image-"))
  const blobs = join(folder, "blobs")
  mkdirSync(blobs)
  const log = openSync(join(folder, "log"), "a")
  const started: Array<Started> = []
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
  const isolated = ["run", "--isolation", "chroot", "--user", "1000:1000", "--volume", `${blobs}:/blobs`]
  const check = healthCheck()
  const start = async (name: string, ...command: ReadonlyArray<string>): Promise<Started> => {
    const container = (await runBeside(["from", "--pull=false", tag])).stdout.trim()
    containers.push(container)
    // They share this machine's network, and so its ports: nobody listens on the one that is not a container's own.
    const ports = name === "API" ? { METRICS_PORT: "9" } : { PORT: "9", METRICS_PORT: String(19_464 + started.length) }
    const given = Object.entries({ ...env, ...ports }).flatMap(([name, value]) => ["--env", `${name}=${value}`])
    const child = spawn("buildah", [...buildah, ...isolated, ...given, container, "--", "tini", "--", ...command], {
      stdio: ["ignore", log, log]
    })
    const one = {
      name,
      child,
      healthy: () => runBeside([...isolated, ...given, container, "--", ...check]).then(() => true)
    }
    started.push(one)
    return one
  }
  const ask = async (path: string, body?: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) })
    })
    return (await answer.json()) as Readonly<Record<string, unknown>>
  }
  try {
    say("migrates", await ended((await start("migration", "node", "src/cli/migrate.ts")).child) === 0)
    await start("API", "node", "src/main.ts")
    for (const pool of pools) await start(pool, "node", "workers/main.ts", pool)
    await until("API and workers are ready", async () => (await ask("/readyz")).status === "ready", 240)
    for (const { healthy, name } of started.slice(1)) await until(`${name} is healthy`, healthy, 120)
    const { id } = await ask("/v1/jobs", { source_uri: "sample://product-demo" })
    await until("a job succeeds", async () => (await ask(`/v1/jobs/${String(id)}`)).status === "succeeded", 240)
    for (const { child, name } of started.slice(1)) {
      const processes = processesOf(child.pid!)
      const first = processes.findIndex((one) => one.name === "tini")
      const users = new Set(processes.slice(first).map(({ pid }) => statSync(`/proc/${pid}`).uid))
      say(`${name} runs as ${[...users].join(" and ")}`, first >= 0 && users.size === 1 && users.has(1000))
      process.kill(processes[first]!.pid, "SIGTERM")
      const code = await ended(child)
      say(`${name} ends by SIGTERM with ${code}`, code === 0)
    }
    const written = containers.flatMap((container) => writtenIn(container, began))
    say(
      `nothing is written to a root outside /tmp${written.map((path) => `, but ${path}`).join("")}`,
      written.length === 0
    )
    say("tini is the subreaper", !readFileSync(join(folder, "log"), "utf8").includes("[WARN  tini"))
  } catch (error) {
    console.log(readFileSync(join(folder, "log"), "utf8").split("\n").slice(-20).join("\n"))
    console.log(`FAIL ${String(error)}`)
    process.exitCode = 1
  } finally {
    for (const { child } of started.filter(({ child }) => child.exitCode === null)) {
      for (const { pid } of processesOf(child.pid!)) spawnSync("kill", ["-KILL", String(pid)])
      child.kill("SIGKILL")
    }
    await Promise.all(started.map(({ child }) => ended(child)))
    for (const container of containers) run(["rm", container])
    door.close()
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const [word, ...given] = process.argv.slice(2)
if (spawnSync("buildah", ["--version"]).status !== 0) {
  console.log("buildah is not installed: no image is built or tried.")
} else if (word === "build") {
  if (built(tag, "Dockerfile", given)) tell()
} else if (word === "build-gpu") {
  // Over Vulkan, on Node's own image, unless CUDA's is asked for: that base is in a registry of NVIDIA's.
  const file = readFileSync(join(root, "Dockerfile.gpu"), "utf8")
  const node = given.find((argument) => argument.startsWith("NODE_IMAGE=")) ?? /^ARG (NODE_IMAGE=.*)$/mu.exec(file)![1]!
  const webgpu = ["EXECUTION_PROVIDER=webgpu", node.replace("NODE_IMAGE", "CUDA_IMAGE")]
  const more = given.includes("EXECUTION_PROVIDER=cuda") ? given : [...webgpu, ...given]
  if (built(gpuTag, "Dockerfile.gpu", more)) console.log(`ok   ${gpuTag}: ${size(gpuTag)} MB`)
} else if (word === "try") await tryOut()
else {
  console.error("npm run image -- build|build-gpu|try")
  process.exitCode = 2
}
