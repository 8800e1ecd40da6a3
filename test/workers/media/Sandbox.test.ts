import { assert, describe, it } from "@effect/vitest"
import { confine } from "../../../workers/media/Sandbox.ts"

const what = { cpu_seconds: 60.2, input: "/blobs/a", program: "/opt/ffmpeg", cwd: "/scratch" }
const here = (path: string) => path === "/usr" || path === "/lib64"

describe("Sandbox", () => {
  it("puts nothing in front where the machine offers nothing", () => {
    assert.deepStrictEqual(confine({ prlimit: null, setpriv: null }, what, here), [])
  })

  it("limits processor time, memory, files and dumps, and forbids writing files", () => {
    const command = confine({ prlimit: "/usr/bin/prlimit", setpriv: null }, what, here)
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
    const old = { path: "/usr/bin/setpriv", pdeathsig: false, landlock: false }
    assert.deepStrictEqual(confine({ prlimit: null, setpriv: old }, what, here), [
      "/usr/bin/setpriv",
      "--no-new-privs",
      "--"
    ])
  })

  it("lets a confined decoder read its libraries, itself, the input and its empty folder, and nothing else", () => {
    const setpriv = { path: "/usr/bin/setpriv", pdeathsig: true, landlock: true }
    const command = confine({ prlimit: null, setpriv }, what, here)
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
    assert.strictEqual(command.at(-1), "--")
  })
})
