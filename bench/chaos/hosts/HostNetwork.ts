import { execFileSync } from "node:child_process"

const ip = (...args: ReadonlyArray<string>) => execFileSync("ip", args, { stdio: ["ignore", "pipe", "pipe"] })
const tc = (...args: ReadonlyArray<string>) => execFileSync("tc", args, { stdio: ["ignore", "pipe", "pipe"] })

export type HostNetwork = ReturnType<typeof hostNetwork>

/**
 * Hosts as network namespaces, each with a line of its own to a router that forwards between them. A cut is made at the router, which
 * drops what comes without a word, as a switch does that lost its way: neither end is told.
 */
export const hostNetwork = (prefix: string, names: ReadonlyArray<string>) => {
  const router = `${prefix}-router`
  const of = (name: string) => ({ namespace: `${prefix}-${name}`, at: names.indexOf(name) + 1 })
  const addressOf = (name: string) => `10.232.${of(name).at}.2`
  const close = () => {
    for (const namespace of [...names.map((name) => of(name).namespace), router]) {
      try {
        ip("netns", "del", namespace)
      } catch {
        // It was never made.
      }
    }
  }
  const create = () => {
    ip("netns", "add", router)
    ip("netns", "exec", router, "sysctl", "-qw", "net.ipv4.ip_forward=1")
    for (const name of names) {
      const { at, namespace } = of(name)
      ip("netns", "add", namespace)
      ip("-n", router, "link", "add", `host${at}`, "type", "veth", "peer", "name", "line", "netns", namespace)
      ip("-n", router, "addr", "add", `10.232.${at}.1/24`, "dev", `host${at}`)
      ip("-n", namespace, "addr", "add", `${addressOf(name)}/24`, "dev", "line")
      ip("-n", router, "link", "set", `host${at}`, "up")
      for (const line of ["line", "lo"]) ip("-n", namespace, "link", "set", line, "up")
      ip("-n", namespace, "route", "add", "default", "via", `10.232.${at}.1`)
    }
  }
  const rule = (word: "add" | "del", from: string, to: string) =>
    ip("-n", router, "rule", word, "from", addressOf(from), "to", addressOf(to), "blackhole")

  /** At both ends of a host's line: a bucket that three packets fill, and a queue that the next one or two do. */
  const shape = (word: "add" | "del", name: string) => {
    const { at, namespace } = of(name)
    const bucket = ["tbf", "rate", "256kbit", "burst", "5kb", "latency", "100ms"]
    for (const [where, device] of [[router, `host${at}`], [namespace, "line"]] as const) {
      tc("-n", where, "qdisc", word, "dev", device, "root", ...(word === "add" ? bucket : []))
    }
  }

  return {
    addressOf,
    create,
    /** The words that run a command on a host. */
    on: (name: string, ...command: ReadonlyArray<string>) => ["netns", "exec", of(name).namespace, ...command],
    /** What the one sends the other is lost from now on. */
    cut: (from: string, to: string) => rule("add", from, to),
    heal: (from: string, to: string) => rule("del", from, to),
    /** What this host sends and is sent passes at 256 kbit/s from now on, and what comes faster is lost. */
    slow: (name: string) => shape("add", name),
    hurry: (name: string) => shape("del", name),
    close
  }
}

/** Why no hosts can be made here, if so. */
export const whyNoHosts = (): string | undefined => {
  if (process.getuid?.() !== 0) return "only root may make network namespaces"
  const name = `footnote-try-${process.pid}`
  try {
    execFileSync("setpriv", ["--version"], { stdio: "ignore" })
    execFileSync("ip", ["netns", "add", name], { stdio: "ignore" })
    const quiet = { stdio: "ignore" } as const
    execFileSync("ip", ["-n", name, "rule", "add", "from", "10.0.0.1", "to", "10.0.0.2", "blackhole"], quiet)
    execFileSync("tc", [
      "-n",
      name,
      "qdisc",
      "add",
      "dev",
      "lo",
      "root",
      "tbf",
      ..."rate 1mbit burst 5kb latency 9ms".split(" ")
    ], quiet)
    return undefined
  } catch {
    return "no network namespaces with routing rules and bounded lines can be made here"
  } finally {
    try {
      execFileSync("ip", ["netns", "del", name], { stdio: "ignore" })
    } catch {
      // There is none.
    }
  }
}
