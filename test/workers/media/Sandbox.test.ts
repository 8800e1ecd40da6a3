import { assert, describe, it } from "@effect/vitest"
import { confine, meansOf, type SandboxTools, unconfined, wantsFilter } from "../../../workers/media/Sandbox.ts"

const what = { cpu_seconds: 60.2, input: "/blobs/a", program: "/opt/ffmpeg", cwd: "/scratch" }
const here = (path: string) => path === "/usr" || path === "/lib64"
const setpriv = { path: "/usr/bin/setpriv", pdeathsig: true, landlock: true, seccomp: true }
const tools = (some: Partial<SandboxTools>): SandboxTools => ({ ...unconfined, ...some })

describe("Sandbox", () => {
  it("puts nothing in front where the machine offers nothing", () => {
    assert.deepStrictEqual(confine(unconfined, what, here), [])
    assert.deepStrictEqual(meansOf(unconfined), [])
  })

  it("limits processor time, memory, files and dumps, and forbids writing files", () => {
    const command = confine(tools({ prlimit: "/usr/bin/prlimit" }), what, here)
    assert.deepStrictEqual(command, [
      "/usr/bin/prlimit",
      "--cpu=61:66",
      "--as=3221225472",
      "--core=0",
      "--nofile=64",
      "--fsize=0",
      "--"
    ])
  })

  it("uses only the options that this setpriv knows", () => {
    const old = { path: "/usr/bin/setpriv", pdeathsig: false, landlock: false, seccomp: false }
    assert.deepStrictEqual(confine(tools({ setpriv: old }), what, here), ["/usr/bin/setpriv", "--no-new-privs", "--"])
  })

  it("lets a confined decoder read its libraries, itself, the input and its empty folder, and nothing else", () => {
    const command = confine(tools({ setpriv }), what, here)
    assert.deepStrictEqual(command.slice(0, 6), [
      "/usr/bin/setpriv",
      "--no-new-privs",
      "--pdeathsig",
      "KILL",
      "--landlock-access",
      "fs"
    ])
    assert.deepStrictEqual(command.filter((part) => part.startsWith("path-beneath:")), [
      "path-beneath:execute,read-file,read-dir:/usr",
      "path-beneath:execute,read-file,read-dir:/lib64",
      "path-beneath:execute,read-file:/opt/ffmpeg",
      "path-beneath:read-file:/blobs/a",
      "path-beneath:read-file:/scratch"
    ])
    assert.deepStrictEqual(command.slice(-3), ["--seccomp-filter", "/dev/fd/4", "--"])
  })

  it("mounts for bubblewrap the system's folders and the program, read-only, and not even the input", () => {
    const command = confine(tools({ bwrap: "/usr/bin/bwrap" }), what, here)
    assert.deepStrictEqual(command.slice(0, 3), ["/usr/bin/bwrap", "--unshare-all", "--die-with-parent"])
    const mounted = command.flatMap((part, at) => (part === "--ro-bind" ? [command[at + 1]] : []))
    assert.deepStrictEqual(mounted, ["/usr", "/lib64", "/opt/ffmpeg"])
    assert.isFalse(command.some((part) => /^--(?:bind|dev-bind)/u.test(part)))
    assert.deepStrictEqual(command.slice(-3), ["--seccomp", "4", "--"])
  })

  it("takes the network away in the order in which privileges fall: limits, name space, privileges", () => {
    const command = confine(
      tools({ prlimit: "/p", unshare: { path: "/u", user: true }, setpriv: { ...setpriv, seccomp: false } }),
      what,
      here
    )
    assert.deepStrictEqual(command.filter((part) => /^\/(?:p|u|usr\/bin\/setpriv)$/u.test(part)), [
      "/p",
      "/u",
      "/usr/bin/setpriv"
    ])
    assert.includeMembers([...command], ["--user", "--map-current-user", "--net", "--ipc"])
  })

  it("asks for the filter of system calls only where a tool loads it, and names every means", () => {
    assert.isFalse(wantsFilter(tools({ setpriv: { ...setpriv, seccomp: false } })))
    assert.isTrue(wantsFilter(tools({ setpriv })))
    assert.isTrue(wantsFilter(tools({ bwrap: "/usr/bin/bwrap" })))
    assert.deepStrictEqual(meansOf(tools({ prlimit: "/p", setpriv })), [
      "rlimits",
      "no-new-privs",
      "landlock",
      "seccomp"
    ])
  })
})
