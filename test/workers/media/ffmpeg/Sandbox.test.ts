import { assert, describe, it } from "@effect/vitest"
import {
  changesUser,
  confine,
  meansOf,
  type SandboxTools,
  unconfined,
  wantsFilter
} from "../../../../workers/media/ffmpeg/Sandbox.ts"

const what = { cpu_seconds: 60.2, input: "/blobs/a", program: "/opt/ffmpeg", cwd: "/scratch" }
const here = (path: string) => path === "/usr" || path === "/lib64"
const setpriv = { path: "/usr/bin/setpriv", pdeathsig: true, landlock: true, seccomp: true, drop: null } as const
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
    const old = { path: "/usr/bin/setpriv", pdeathsig: false, landlock: false, seccomp: false, drop: null } as const
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

  it("takes user, groups and capabilities from a decoder whose worker is root, and counts its processes", () => {
    const plain = { path: "/s", pdeathsig: true, landlock: false, seccomp: false }
    const both = tools({ prlimit: "/p", setpriv: { ...plain, drop: "identity" } })
    const command = confine(both, what, here)
    assert.deepStrictEqual(command.slice(command.indexOf("/s") + 1, -3), [
      "--no-new-privs",
      "--reuid=65533",
      "--regid=65533",
      "--clear-groups",
      "--inh-caps=-all",
      "--bounding-set=-all"
    ])
    assert.include(command, "--nproc=1024")
    assert.isTrue(changesUser(both))
    const kept = tools({ prlimit: "/p", setpriv: { ...plain, drop: "capabilities" } })
    assert.notInclude(confine(kept, what, here), "--nproc=1024")
    assert.notInclude(confine(kept, what, here), "--reuid=65533")
    assert.include(confine(kept, what, here), "--bounding-set=-all")
    assert.isFalse(changesUser(kept))
  })

  it("lowers privileges in front of bubblewrap, which needs none where user namespaces are open to all", () => {
    const drop = { ...setpriv, landlock: false, seccomp: false, drop: "identity" } as const
    const command = confine(tools({ bwrap: "/b", setpriv: drop }), what, here)
    assert.isBelow(command.indexOf("/usr/bin/setpriv"), command.indexOf("/b"))
  })

  it("gives our launcher the limits, the filter, the folders of libraries, the program and an empty folder to be its root", () => {
    const launcher = { perl: "/usr/bin/perl", files: "own", identity: "mapped" } as const
    const command = confine(tools({ launcher }), what, (path) => path === "/usr/lib" || path === "/etc/ld.so.cache")
    assert.deepStrictEqual([command[0], command.at(-1)], ["/usr/bin/perl", "--"])
    assert.match(command[1]!, /\/launcher\.pl$/u)
    assert.deepStrictEqual(command.slice(2, -1), [
      `--arch=${process.arch}`,
      "--filter=4",
      "--limit=0:61:66",
      "--limit=9:3221225472:3221225472",
      "--limit=4:0:0",
      "--limit=7:64:64",
      "--limit=6:1024:1024",
      "--limit=1:0:0",
      "--id=65533",
      "--user",
      "--root=/scratch",
      "--folder=/usr/lib",
      "--file=/etc/ld.so.cache",
      "--file=/opt/ffmpeg",
      "--input=/blobs/a",
      "--input=/dev/null",
      "--input=/dev/urandom"
    ])
    const ruled = confine(tools({ launcher: { ...launcher, files: "landlock", identity: "worker" } }), what, here)
    assert.include(ruled, "--landlock")
    assert.isFalse(ruled.some((part) => /^--(?:id|user|root|limit=6)/u.test(part)))
    assert.isTrue(wantsFilter(tools({ launcher })))
  })
})
