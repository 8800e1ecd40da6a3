import { type ChildProcess, fork } from "node:child_process"
import * as Postmaster from "../src/database/Postmaster.ts"

/** A process of the service that is started again whenever it ends, as an init system would; for benches that kill. */
export interface KeptProcess {
  readonly name: string
  /** SIGKILL, or the signal given; resolves when it is gone. The next one starts by itself. */
  readonly kill: (signal?: "SIGKILL" | "SIGTERM") => Promise<void>
  /** Of the present one. */
  readonly pid: () => number
  /** Resolves when the present one has said that it is ready. */
  readonly ready: () => Promise<void>
  readonly stop: () => Promise<void>
}

export const keep = (
  name: string,
  entry: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  output: number
): KeptProcess => {
  let stopped = false
  let child: ChildProcess
  let ready: Promise<void>
  const start = () => {
    child = fork(entry, args, {
      execArgv: [],
      env: { ...process.env, ...env },
      stdio: ["ignore", output, output, "ipc"]
    })
    ready = new Promise((resolve) =>
      child.on("message", (said: object) => {
        if ("ready" in said) resolve()
      })
    )
    child.once("exit", () => {
      if (!stopped) setTimeout(start, 100)
    })
  }
  start()
  const gone = (signal: "SIGKILL" | "SIGTERM") =>
    new Promise<void>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve()
      child.once("exit", () => resolve())
      child.kill(signal)
    })
  return {
    name,
    kill: (signal = "SIGKILL") => gone(signal),
    pid: () => child.pid!,
    ready: async () => {
      for (let seen: Promise<void> | undefined; seen !== ready;) await (seen = ready)
    },
    stop: () => {
      stopped = true
      return gone("SIGTERM")
    }
  }
}

/** A PostgreSQL of its own with a durable disk, which can be crashed and started again. */
export const openDatabase = async (dataDir: string) => {
  const server = await Postmaster.locate(dataDir, false)
  await Postmaster.initialise(server)
  let pid = Postmaster.start(server)
  let endGuard = Postmaster.guard(server, pid)
  return {
    url: `postgres:///postgres?host=${encodeURIComponent(server.socketDir)}&user=${Postmaster.superuser}`,
    pid: () => pid,
    /** Immediate shutdown: every session is cut off, the next start recovers from the log. */
    crash: async () => {
      endGuard()
      process.kill(pid, "SIGQUIT")
      await Postmaster.stop(pid)
      pid = Postmaster.start(server)
      endGuard = Postmaster.guard(server, pid)
    },
    stop: async () => {
      endGuard()
      await Postmaster.stop(pid)
    }
  }
}

/** Asks a process to end and answers the signal that ended it, else its exit code. */
export const stop = async (child: ChildProcess): Promise<string> => {
  const gone = new Promise<string>((resolve) => child.once("exit", (code, signal) => resolve(String(signal ?? code))))
  child.kill("SIGTERM")
  return await gone
}
