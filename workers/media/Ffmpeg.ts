import { Config, Effect, Option, Schema } from "effect"
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { access, constants } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { confine, type SandboxTools } from "./Sandbox.ts"

/** There is no decoder that may be used here, so a media worker cannot start. The message says what to install. */
class MediaToolMissing extends Schema.TaggedError<MediaToolMissing>()("MediaToolMissing", {
  message: Schema.String
}) {}

/** The decoder and what confines it, found once per worker. */
export interface MediaTools {
  readonly ffmpeg: string
  /** Null where only the bundled build exists: it comes without one. */
  readonly ffprobe: string | null
  /** First line of `-version`: goes into logs and the health endpoint. */
  readonly version: string
  readonly libavformat: readonly [major: number, minor: number]
  readonly sandbox: SandboxTools
}

/** FFmpeg 5.1: the oldest line that still gets security fixes in a supported Debian. */
const OLDEST: readonly [number, number] = [59, 27]

const run = (file: string, args: ReadonlyArray<string>) =>
  Effect.callback<string, MediaToolMissing>((resume) => {
    const child = execFile(file, [...args], { timeout: 20_000, env: { LC_ALL: "C" } }, (error, stdout) => {
      resume(
        error === null
          ? Effect.succeed(stdout)
          : Effect.fail(new MediaToolMissing({ message: `${file} cannot be run: ${error.message}` }))
      )
    })
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const isExecutable = (file: string) => Effect.promise(() => access(file, constants.X_OK).then(() => true, () => false))

const onPath = Effect.fnUntraced(function*(program: string, path: string) {
  for (const folder of path.split(delimiter).filter((entry) => entry !== "")) {
    const file = join(folder, program)
    if (yield* isExecutable(file)) return file
  }
  return null
})

const inspect = Effect.fnUntraced(function*(ffmpeg: string) {
  const text = yield* run(ffmpeg, ["-version"])
  const library = /libavformat\s+(\d+)\.\s*(\d+)/u.exec(text)
  const libavformat = [Number(library?.[1] ?? 0), Number(library?.[2] ?? 0)] as const
  const recent = libavformat[0] > OLDEST[0] || (libavformat[0] === OLDEST[0] && libavformat[1] >= OLDEST[1])
  return { ffmpeg, version: text.split("\n")[0]!.trim(), libavformat, recent }
})

const unconfined: SandboxTools = { prlimit: null, setpriv: null }

const settings = Config.all({
  explicit: Config.option(
    Config.String("FOOTNOTE_FFMPEG_PATH").pipe(Config.orElse(() => Config.String("FFMPEG_PATH")))
  ),
  ffprobe: Config.option(Config.String("FFPROBE_PATH")),
  path: Config.String("PATH").pipe(Config.withDefault("")),
  production: Config.String("NODE_ENV").pipe(Config.map((mode) => mode === "production"), Config.withDefault(false)),
  allow_bundled: Config.String("ALLOW_BUNDLED_FFMPEG").pipe(
    Config.map((value) => value === "1"),
    Config.withDefault(false)
  ),
  sandbox: Config.Literals(["auto", "off"], "FOOTNOTE_SANDBOX").pipe(Config.withDefault("auto" as const))
})

/** The build that the npm package carries: complete enough to work with, years behind on security fixes. */
const bundled = Effect.fnUntraced(function*(production: boolean, allowed: boolean) {
  if (production && !allowed) {
    return yield* new MediaToolMissing({
      message: "No ffmpeg >= 5.1 on PATH. Install it, name it in FFMPEG_PATH, or accept the bundled 2018 build by "
        + "ALLOW_BUNDLED_FFMPEG=1."
    })
  }
  const file = yield* Effect.try({
    try: () => (createRequire(import.meta.url)("@ffmpeg-installer/ffmpeg") as { readonly path: string }).path,
    catch: () => new MediaToolMissing({ message: "No ffmpeg >= 5.1 on PATH and no bundled one for this platform." })
  })
  const found = yield* inspect(file)
  yield* Effect.logWarning(`Using the bundled development decoder: ${found.version}`)
  return { ...found, ffprobe: null }
})

/** Whether the decoder runs at all behind this confinement: an option may be known while the kernel refuses it. */
const runsBehind = (sandbox: SandboxTools, ffmpeg: string) => {
  const behind = { cpu_seconds: 20, input: ffmpeg, program: ffmpeg, cwd: tmpdir() }
  const [head, ...rest] = [...confine(sandbox, behind, existsSync), ffmpeg, "-version"]
  return Effect.isSuccess(run(head!, rest))
}

/** The strictest confinement that works here, weakest last. */
const findSandbox = Effect.fnUntraced(function*(path: string, ffmpeg: string): Effect.fn.Return<SandboxTools> {
  const prlimit = yield* onPath("prlimit", path)
  const file = yield* onPath("setpriv", path)
  const help = file === null ? "" : yield* run(file, ["--help"]).pipe(Effect.orElseSucceed(() => ""))
  const landlock = help.includes("landlock-access")
  const setpriv = file === null || help === "" ? null : { path: file, pdeathsig: help.includes("pdeathsig"), landlock }
  const candidates: ReadonlyArray<SandboxTools> = [
    { prlimit, setpriv },
    { prlimit, setpriv: setpriv === null ? null : { ...setpriv, landlock: false } },
    { prlimit, setpriv: null }
  ]
  for (const sandbox of candidates) {
    if (yield* runsBehind(sandbox, ffmpeg)) return sandbox
    yield* Effect.logWarning("The decoder does not run behind this confinement; trying a weaker one", sandbox)
  }
  return unconfined
})

/**
 * Finds the decoder: `FOOTNOTE_FFMPEG_PATH` or `FFMPEG_PATH`, then an ffmpeg >= 5.1 on PATH, then the bundled build, with
 * a warning and never in production unless `ALLOW_BUNDLED_FFMPEG=1`. Fails with `MediaToolMissing` when none may be used.
 * `FOOTNOTE_SANDBOX=off` leaves the confinement to the container.
 */
export const findMediaTools = Effect.gen(function*() {
  const { allow_bundled, explicit, ffprobe, path, production, sandbox } = yield* settings
  const system = Option.isSome(explicit)
    ? yield* inspect(explicit.value)
    : yield* Effect.gen(function*() {
      const file = yield* onPath("ffmpeg", path)
      if (file === null) return null
      const found = yield* inspect(file).pipe(Effect.orElseSucceed(() => null))
      return found?.recent === true ? found : null
    })
  const found = system === null
    ? yield* bundled(production, allow_bundled)
    : { ...system, ffprobe: Option.getOrNull(ffprobe) ?? (yield* onPath("ffprobe", path)) }
  if (Option.isSome(explicit) && !found.recent) {
    yield* Effect.logWarning(`The configured decoder is older than 5.1: ${found.version}`)
  }
  const tools: MediaTools = {
    ffmpeg: found.ffmpeg,
    ffprobe: found.ffprobe,
    version: found.version,
    libavformat: found.libavformat,
    sandbox: sandbox === "off" ? unconfined : yield* findSandbox(path, found.ffmpeg)
  }
  return tools
}).pipe(Effect.withSpan("findMediaTools"))
