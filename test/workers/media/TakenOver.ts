import { NodeServices } from "@effect/platform-node"
import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { randomInt } from "node:crypto"
import { once } from "node:events"
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer, type ListenOptions, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import type { MediaTools } from "../../../workers/media/ffmpeg/Ffmpeg.ts"
import { runMedia } from "../../../workers/media/ffmpeg/MediaProcess.ts"
import { meansOf, type SandboxTools } from "../../../workers/media/ffmpeg/Sandbox.ts"

const hostile = readFileSync(new URL("taken-over.pl", import.meta.url), "utf8")

/** What an attempt that got through lays open, by the names that `Openings` has for it. */
export const opens: Readonly<Record<string, "network" | "sockets" | "files" | "processes" | "resources">> = {
  tcp: "network",
  unix: "sockets",
  abstract: "sockets",
  ...Object.fromEntries(
    ["secret", "public", "truncate", "chmod", "unlink", "create"].map((name) => [name, "files" as const])
  ),
  ...Object.fromEntries(
    [
      "environ",
      "memory",
      "ptrace",
      "process_vm_readv",
      "setns",
      "kill",
      "tkill",
      "tgkill",
      "rt_tgsigqueueinfo",
      "pidfd_open",
      "prlimit64",
      "setpriority",
      "sched_setaffinity",
      "ioprio_set",
      "F_SETOWN",
      "clone",
      "clone3",
      "unshare",
      "fork",
      "outlives",
      "segment",
      "capabilities",
      "new privileges"
    ].map((name) => [name, "processes" as const])
  ),
  "memory without bound": "resources"
}

const listening = async (where: ListenOptions): Promise<Server> => {
  const server = createServer((socket) => socket.destroy())
  server.listen(where)
  await once(server, "listening")
  return server
}

const marked = (mark: string): ReadonlyArray<number> =>
  readdirSync("/proc").filter((entry) => /^\d+$/u.test(entry)).flatMap((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith(mark) ? [Number(pid)] : []
    } catch {
      return []
    }
  })

const segments = (key: number): ReadonlyArray<string> =>
  readFileSync("/proc/sysvipc/shm", "utf8").split("\n").map((line) => line.trim().split(/\s+/u))
    .flatMap(([found, id]) => (Number(found) === key ? [id!] : []))

/**
 * Puts a hostile program in the decoder's place behind this confinement, with a port, sockets, files and a process of the
 * worker's own for it to reach. Gives the names of the attempts that got through, and of what it left behind.
 */
export const takenOver = Effect.fn("takenOver")(function*(perl: string, sandbox: SandboxTools) {
  const folder = mkdtempSync(join(tmpdir(), "footnote-taken-"))
  // Open to every user, so that nothing but the confinement is in the way.
  chmodSync(folder, 0o755)
  const at = (name: string) => join(folder, name)
  const [mark, abstract, key] = [`left-${randomInt(2 ** 40)}`, `taken-${randomInt(2 ** 40)}`, randomInt(1, 2 ** 31)]
  writeFileSync(at("secret"), "secret", { mode: 0o600 })
  writeFileSync(at("victim"), "victim")
  chmodSync(at("victim"), 0o666)
  chmodSync(folder, 0o777)
  writeFileSync(at("input"), "input", { mode: 0o600 })
  const servers = yield* Effect.promise(() =>
    Promise.all([
      listening({ host: "127.0.0.1", port: 0 }),
      listening({ path: at("socket") }),
      listening({ path: `\0${abstract}` })
    ])
  )
  chmodSync(at("socket"), 0o777)
  const victim = spawn("sleep", ["600"], { env: { KEY: "secret" }, stdio: "ignore" })
  const port = (servers[0].address() as AddressInfo).port
  const args = [
    process.arch,
    port,
    at("socket"),
    abstract,
    at("secret"),
    at("victim"),
    at("fresh"),
    victim.pid,
    key,
    mark
  ]
  const run = Effect.scoped(Effect.gen(function*() {
    const { ended, messages, stdout } = yield* runMedia({ ffmpeg: perl, sandbox } as MediaTools, {
      program: "ffmpeg",
      args: ["-e", hostile, "--", ...args.map(String)],
      input: at("input"),
      wall_seconds: 120
    })
    const said = (yield* Effect.promise(() => text(stdout))).trim().split("\n")
    yield* ended
    if (said.pop() !== "done") return yield* Effect.die(new Error(`It did not get to its end: ${messages()}`))
    return said
  }))
  const said = yield* Effect.orDie(run)
  const outlives = marked(mark)
  const left = segments(key)
  for (const pid of outlives) process.kill(pid, "SIGKILL")
  for (const id of left) spawnSync("ipcrm", ["-m", id])
  victim.kill("SIGKILL")
  for (const server of servers) server.close()
  rmSync(folder, { recursive: true, force: true })
  const reached = [...said, ...(outlives.length > 0 ? ["outlives"] : []), ...(left.length > 0 ? ["segment"] : [])]
  return { means: meansOf(sandbox), reached }
}, Effect.provide(NodeServices.layer))
