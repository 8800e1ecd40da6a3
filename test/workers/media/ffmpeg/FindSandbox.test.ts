import { assert, layer as suite } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { findSandbox, type SandboxPaths, sandboxPrograms } from "../../../../workers/media/ffmpeg/FindSandbox.ts"
import { runMedia } from "../../../../workers/media/ffmpeg/MediaProcess.ts"
import { meansOf, type SandboxTools, unconfined } from "../../../../workers/media/ffmpeg/Sandbox.ts"
import { openFilter } from "../../../../workers/media/ffmpeg/TrialRun.ts"
import { canary } from "../../../support/Canary.ts"
import { holdersOf, layer, MediaLab, recipes } from "../MediaLab.ts"
import { sandboxPaths } from "../SandboxPaths.ts"

const all = sandboxPaths()
const only = (...wanted: ReadonlyArray<typeof sandboxPrograms[number]>) =>
  Object.fromEntries(sandboxPrograms.map((name) => [name, wanted.includes(name) ? all[name] : null])) as SandboxPaths

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

const decoded = Effect.fnUntraced(function*(sandbox: SandboxTools, file: string, args: ReadonlyArray<string> = []) {
  const lab = yield* MediaLab
  const { ended, messages, stdout } = yield* runMedia({ ...lab.tools, sandbox }, {
    program: "ffmpeg",
    input: file,
    wall_seconds: 60,
    args: ["-nostdin", ...args, "-i", "/dev/fd/3", "-f", "rawvideo", "-pix_fmt", "gray", "-"]
  })
  const bytes = yield* Effect.promise(() => buffer(stdout))
  yield* ended
  return { bytes, messages: messages() }
}, Effect.scoped)

const NETWORK = "Nothing keeps a decoder from the network"

/** The sets of tools that a machine may offer; each is tried alone, so that the weaker ones are proved as well. */
const offers = {
  "everything that is here": all,
  "our launcher": only("perl"),
  "bubblewrap": only("prlimit", "bwrap"),
  "a network name space": only("prlimit", "unshare"),
  "setpriv": only("prlimit", "setpriv"),
  "limits alone": only("prlimit"),
  "nothing": only()
}

suite(layer, { timeout: 120_000, excludeTestServices: true })("findSandbox", (it) => {
  for (const [offer, paths] of Object.entries(offers)) {
    it.effect(`decodes byte for byte the same with ${offer}, and its warnings are true`, () =>
      Effect.gen(function*() {
        const lab = yield* MediaLab
        const file = yield* lab.make("confined.mp4", recipes.video_only)
        const { tools, warnings } = yield* findSandbox(lab.tools.ffmpeg, paths)
        const free = yield* decoded(unconfined, file)
        const confined = yield* decoded(tools, file)
        assert.isAbove(free.bytes.length, 320 * 180)
        assert.strictEqual(sha256(confined.bytes), sha256(free.bytes), meansOf(tools).join(", "))

        const { port, seen } = yield* canary()
        yield* decoded(tools, file, ["-f", "mpegts", "-i", `tcp://127.0.0.1:${port}?timeout=2000000`])
        assert.strictEqual(warnings.some((text) => text.startsWith(NETWORK)), seen.connections > 0)

        const neighbour = yield* lab.make("neighbour.mp4", recipes.video_only)
        const { messages } = yield* decoded(tools, file, ["-i", neighbour])
        assert.strictEqual(warnings.some((text) => text.includes("every file")), /neighbour\.mp4':/u.test(messages))
        assert.deepStrictEqual(holdersOf(lab.folder), [])
      }).pipe(Effect.scoped))
  }

  it.effect("uses the strictest that the machine has, and nothing weaker is left to warn of", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const { tools, warnings } = yield* findSandbox(lab.tools.ffmpeg, all)
      const weaker = yield* findSandbox(lab.tools.ffmpeg, only("prlimit", "unshare"))
      assert.isAtMost(warnings.length, weaker.warnings.length, meansOf(tools).join(", "))
    }))

  it.effect("keeps the network closed and the limits on in front of a decoder that may open a graphics card", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const file = yield* lab.make("opened.mp4", recipes.video_only)
      const found = yield* findSandbox(lab.tools.ffmpeg, all, { devices: true })
      const { bwrap, devices, launcher, prlimit, setpriv } = found.tools
      assert.deepStrictEqual([bwrap, devices, setpriv?.landlock ?? false], [null, true, false])
      if (launcher === null) assert.strictEqual(prlimit, all.prlimit)
      else assert.strictEqual(launcher.files, "open")
      const free = yield* decoded(unconfined, file)
      assert.strictEqual(sha256((yield* decoded(found.tools, file)).bytes), sha256(free.bytes))
      const { port, seen } = yield* canary()
      yield* decoded(found.tools, file, ["-f", "mpegts", "-i", `tcp://127.0.0.1:${port}?timeout=2000000`])
      assert.strictEqual(found.warnings.some((text) => text.startsWith(NETWORK)), seen.connections > 0)
      const open = yield* findSandbox(lab.tools.ffmpeg, only("prlimit", "unshare"))
      if (!open.warnings.some((text) => text.startsWith(NETWORK))) assert.strictEqual(seen.connections, 0)
    }).pipe(Effect.scoped))

  it.effect("goes on to a weaker means where a stronger one does not run", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const broken = yield* lab.write("bwrap", "#!/bin/sh\nexit 1\n")
      const found = yield* findSandbox(lab.tools.ffmpeg, { ...only("prlimit"), bwrap: broken })
      assert.deepStrictEqual(found.tools, { ...unconfined, prlimit: all.prlimit })
      assert.deepStrictEqual(found.open, {
        network: true,
        sockets: true,
        files: true,
        processes: true,
        resources: all.prlimit === null
      })
      assert.lengthOf(found.warnings, all.prlimit === null ? 5 : 4)
    }))

  it.effect.skipIf(all.bwrap === null)(
    "the filter alone refuses a decoder the network with EPERM",
    () =>
      Effect.gen(function*() {
        const lab = yield* MediaLab
        const { port, seen } = yield* canary()
        const ask = [lab.tools.ffmpeg, "-nostdin", "-v", "error", "-f", "mpegts", "-i", `tcp://127.0.0.1:${port}`]
        // Everything shared with the machine, its network too: only the filter is left to refuse.
        const run = (load: ReadonlyArray<string>) =>
          Effect.promise(async () => {
            const filter = (await openFilter({ ...unconfined, bwrap: all.bwrap }, lab.folder))!
            const child = spawn(all.bwrap!, ["--dev-bind", "/", "/", ...load, "--", ...ask, "-f", "null", "-"], {
              stdio: ["ignore", "ignore", "pipe", "ignore", filter.fd]
            })
            const text = (await buffer(child.stderr!)).toString("utf8")
            await filter.close()
            return text
          })
        assert.match(yield* run(["--seccomp", "4"]), /Operation not permitted/u)
        assert.strictEqual(seen.connections, 0)
        yield* run([])
        assert.strictEqual(seen.connections, 1)
        assert.isFalse(existsSync(join(lab.folder, "filter")))
      }).pipe(Effect.scoped)
  )
})
