import { Effect } from "effect"
import { execFile } from "node:child_process"
import type { Launcher } from "./Launcher.ts"
import { findOpenings, type Openings, warningsOf } from "./Openings.ts"
import { type SandboxTools, unconfined } from "./Sandbox.ts"
import { systemCallFilter } from "./SystemCallFilter.ts"
import { PATIENCE, readsRaw, runsBehind } from "./TrialRun.ts"

/** Where the programs are that can confine a decoder; null for those that this machine does not have. */
export type SandboxPaths = Readonly<Record<typeof sandboxPrograms[number], string | null>>

/** The programs that can confine a decoder, by name. */
export const sandboxPrograms = ["prlimit", "setpriv", "bwrap", "unshare", "perl"] as const

const helpOf = (file: string | null): Promise<string> =>
  new Promise((resolve) => {
    if (file === null) return resolve("")
    execFile(file, ["--help"], { timeout: PATIENCE, env: { LC_ALL: "C" } }, (_, stdout) => resolve(stdout))
  })

type Setpriv = NonNullable<SandboxTools["setpriv"]>

/** Everything worth trying, strictest first. */
const candidatesOf = (
  { bwrap, perl, prlimit, setpriv, unshare }: SandboxPaths,
  help: string,
  { devices, root }: { readonly devices: boolean; readonly root: boolean }
): ReadonlyArray<SandboxTools> => {
  const filtered = systemCallFilter(process.arch) !== null
  const landlock = help.includes("landlock-access") && !devices
  const seccomp = help.includes("seccomp-filter") && filtered
  const tools = (some: Partial<SandboxTools>): SandboxTools => ({
    ...unconfined,
    ...(devices ? { devices } : {}),
    prlimit,
    ...some
  })
  const drops: ReadonlyArray<Setpriv["drop"]> = root ? ["identity", "capabilities", null] : [null]
  const setprivs = (means: Pick<Setpriv, "landlock" | "seccomp">, some: Partial<SandboxTools> = {}) =>
    setpriv === null || help === ""
      ? []
      : drops
        // A name space of users that holds one user has no other to become.
        .filter((drop) => drop !== "identity" || some.unshare?.user !== true)
        .map((drop) =>
          tools({ ...some, setpriv: { path: setpriv, pdeathsig: help.includes("pdeathsig"), drop, ...means } })
        )
  const identities: ReadonlyArray<Launcher["identity"]> = root ? ["decoder", "worker"] : ["worker"]
  const launchers = (files: Launcher["files"], among = identities, some: Partial<SandboxTools> = {}) =>
    perl === null || !filtered
      ? []
      : among.map((identity) => tools({ ...some, prlimit: null, launcher: { perl, files, identity } }))
  const unshares = unshare === null ? [] : [false, true].map((user) => ({ path: unshare, user }))
  const plain = { landlock: false, seccomp: false }
  const wrapped = bwrap === null || !filtered || devices ? [] : [{ bwrap }]
  return [
    ...(devices ? [] : launchers("own", root ? ["decoder", "mapped"] : ["mapped"])),
    ...wrapped.flatMap((some) => (root ? setprivs(plain, some) : []).concat(tools(some))),
    ...(landlock && seccomp ? setprivs({ landlock, seccomp }) : []),
    ...(devices ? [] : launchers("landlock")),
    ...(landlock || seccomp ? unshares.flatMap((unshare) => setprivs({ landlock, seccomp }, { unshare })) : []),
    ...unshares.flatMap((unshare) => launchers("open", unshare.user ? ["worker"] : identities, { unshare })),
    ...(seccomp ? setprivs({ landlock: false, seccomp }) : []),
    ...launchers("open"),
    ...unshares.flatMap((unshare) => setprivs(plain, { unshare }).concat(tools({ unshare }))),
    ...(landlock ? setprivs({ landlock, seccomp: false }) : []),
    ...setprivs(plain),
    tools({})
  ]
}

/** What was found, and what a decoder can do in spite of it: for programs, and in words. */
export interface FoundSandbox {
  readonly tools: SandboxTools
  readonly open: Openings
  readonly warnings: ReadonlyArray<string>
}

/**
 * Every confinement that the decoder runs and reads its input behind on this machine, strictest first: an option may be known
 * while the kernel or a container refuses it, so each is tried, when it is asked for. With `devices` a graphics card can be
 * opened from behind it: then the files stay open too, and addresses without a limit. The last is none at all.
 */
export const workingSandboxes = async function*(ffmpeg: string, paths: SandboxPaths, devices = false) {
  const help = await helpOf(paths.setpriv)
  // Where a build cannot even do this unconfined, that it starts has to be enough.
  const raw = await runsBehind(unconfined, ffmpeg, readsRaw("/dev/fd/3"))
  for (const tools of candidatesOf(paths, help, { devices, root: process.getuid?.() === 0 })) {
    if (!(await runsBehind(tools, ffmpeg, ["-version"]))) continue
    if (!raw || (await runsBehind(tools, ffmpeg, readsRaw("/dev/fd/3")))) yield tools
  }
  yield unconfined
}

/** The strictest confinement that works on this machine. Never fails; what it lacks, it tells. */
export const findSandbox = Effect.fn("findSandbox")(
  (
    ffmpeg: string,
    paths: SandboxPaths,
    { devices = false }: { readonly devices?: boolean } = {}
  ): Effect.Effect<FoundSandbox> =>
    Effect.promise(async () => {
      const { value } = await workingSandboxes(ffmpeg, paths, devices).next()
      const tools = value ?? unconfined
      const open = await findOpenings(tools, ffmpeg)
      return { tools, open, warnings: warningsOf(tools, open) }
    })
)
