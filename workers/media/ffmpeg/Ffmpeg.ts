import { Config, Effect, Option, Schema } from "effect"
import { execFile } from "node:child_process"
import { access, constants, realpath } from "node:fs/promises"
import { createRequire } from "node:module"
import { delimiter, join } from "node:path"
import { oneOf, path, setting, text } from "../../../src/observability/Setting.ts"
import { isProduction } from "../../../src/processes/Production.ts"
import { findSandbox, type FoundSandbox, type SandboxPaths, sandboxPrograms } from "./FindSandbox.ts"
import { gapsOf } from "./Openings.ts"
import { meansOf, type SandboxTools, unconfined } from "./Sandbox.ts"

/** There is no decoder that may be used here, so a media worker cannot start. The message says what to install. */
class MediaToolMissing extends Schema.TaggedError<MediaToolMissing>()("MediaToolMissing", {
  message: Schema.String
}) {}

/** Decoders would reach more than their input here, and that is not accepted. The message says what to install or to set. */
class SandboxMissing extends Schema.TaggedError<SandboxMissing>()("SandboxMissing", {
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
  /**
   * What `FOOTNOTE_HWACCEL` asks for, whether this build knows of it, and what such a decoder runs behind; null where nothing
   * is asked for.
   */
  readonly hwaccel: { readonly name: "cuda"; readonly offered: boolean; readonly sandbox: SandboxTools } | null
  /** What a decoder could do here in spite of its confinement, in words for whoever runs the service. */
  readonly warnings: ReadonlyArray<string>
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

/** `FOOTNOTE_FFMPEG_PATH` and what else a media worker is told of decoders. */
export const decoderConfig = Config.all({
  explicit: Config.option(
    setting("FOOTNOTE_FFMPEG_PATH", path, {
      without: "found on `PATH` (5.1 or later), else bundled",
      meaning: "the decoder"
    }).pipe(
      Config.orElse(() =>
        setting("FFMPEG_PATH", path, { meaning: "the decoder, where `FOOTNOTE_FFMPEG_PATH` names none" })
      )
    )
  ),
  ffprobe: Config.option(setting("FFPROBE_PATH", path, {
    without: "beside the decoder, where there is one",
    meaning: "the program that reads headers"
  })),
  path: Config.String("PATH").pipe(Config.withDefault("")),
  production: isProduction,
  allow_bundled: setting("ALLOW_BUNDLED_FFMPEG", text, {
    otherwise: "",
    without: "off",
    meaning:
      "`1` lets `NODE_ENV=production` use the bundled decoder of 2018, which has known holes, found or named by its path"
  }).pipe(Config.map((value) => value === "1")),
  hwaccel: setting("FOOTNOTE_HWACCEL", oneOf("none", "cuda"), {
    otherwise: "none",
    meaning:
      "`cuda` decodes on the graphics card where ffmpeg can, else on the processor with the warning `HWACCEL_UNUSED`; unmeasured"
  }),
  sandbox: Config.option(setting("FOOTNOTE_SANDBOX", oneOf("auto", "required", "off"), {
    without: "`auto`; `required` with `NODE_ENV=production`",
    meaning: "decoders run behind the strictest confinement that works here "
      + "([which](architecture.md#decoders-are-given-nothing)). `required`: the worker refuses to start where they could reach files, "
      + "sockets, the network or other processes; `auto`: its log says what they could; `off` leaves it to the container"
  }))
})

const notInProduction = (what: string) =>
  new MediaToolMissing({
    message:
      `${what} Run apt-get install ffmpeg, name another >= 5.1 in FOOTNOTE_FFMPEG_PATH, or accept the bundled build of `
      + "2018 by ALLOW_BUNDLED_FFMPEG=1."
  })

/** Path of the build that the npm package carries: complete enough to work with, years behind on security fixes. */
const bundledPath = Effect.try({
  try: () => (createRequire(import.meta.url)("@ffmpeg-installer/ffmpeg") as { readonly path: string }).path,
  catch: () => new MediaToolMissing({ message: "No ffmpeg >= 5.1 on PATH and no bundled one for this platform." })
})

/** Told at every start, for as long as it is true. */
const warnOfBundled = (version: string) =>
  Effect.logWarning(
    `Decoders are the bundled ffmpeg of 2018, which has known holes (${version}): run apt-get install ffmpeg bubblewrap.`
  )

const bundled = Effect.fnUntraced(function*(production: boolean, allowed: boolean) {
  if (production && !allowed) return yield* notInProduction("No ffmpeg >= 5.1 on PATH.")
  const found = yield* inspect(yield* bundledPath)
  yield* warnOfBundled(found.version)
  return { ...found, ffprobe: null }
})

const resolved = (path: string) => Effect.promise(() => realpath(path).catch(() => path))

/** The decoder that is named, the bundled build by another name included: the same file, or a copy that says the same of itself. */
const named = Effect.fnUntraced(function*(file: string, production: boolean, allowed: boolean) {
  const found = yield* inspect(file)
  if (found.recent) return found
  const own = yield* bundledPath.pipe(Effect.flatMap(inspect), Effect.orElseSucceed(() => null))
  const same = own !== null
    && (own.version === found.version || (yield* resolved(own.ffmpeg)) === (yield* resolved(file)))
  if (!same) {
    yield* Effect.logWarning(`The configured decoder is older than 5.1: ${found.version}`)
    return found
  }
  if (production && !allowed) return yield* notInProduction(`${file} is the bundled ffmpeg of 2018.`)
  yield* warnOfBundled(found.version)
  return found
})

/** The strictest confinement that works here; what it does not keep a decoder from is told once, in the log. */
const findConfinement = Effect.fnUntraced(function*(
  path: string,
  ffmpeg: string,
  { devices, required }: { readonly devices: boolean; readonly required: boolean }
): Effect.fn.Return<FoundSandbox, SandboxMissing> {
  const paths = yield* Effect.forEach(
    sandboxPrograms,
    (program) => Effect.map(onPath(program, path), (file) => [program, file] as const)
  )
  const found = yield* findSandbox(ffmpeg, Object.fromEntries(paths) as SandboxPaths, { devices })
  const means = meansOf(found.tools).join(", ") || "nothing"
  const decoders = devices ? "Decoders on a graphics card" : "Decoders"
  const gaps = gapsOf(found.open)
  if (required && gaps.length > 0) {
    return yield* new SandboxMissing({
      message:
        `${decoders} could reach ${gaps.join(", ")} behind ${means}, and FOOTNOTE_SANDBOX=required (the default with `
        + "NODE_ENV=production) forbids it. Run apt-get install perl-base bubblewrap util-linux and allow user namespaces or "
        + `Landlock to the worker${
          devices ? ", or set FOOTNOTE_HWACCEL=none" : ""
        }; or set FOOTNOTE_SANDBOX=auto to accept it.`
    })
  }
  yield* Effect.logInfo(`${decoders} run behind: ${means}`)
  for (const warning of found.warnings) yield* Effect.logWarning(warning)
  return found
})

/** Whether the build was made with this accelerator; the machine's own is only known once it is used. */
const offers = (ffmpeg: string, name: string) =>
  run(ffmpeg, ["-hide_banner", "-hwaccels"]).pipe(
    Effect.map((text) => text.split("\n").includes(name)),
    Effect.orElseSucceed(() => false)
  )

/**
 * Finds the decoder: `FOOTNOTE_FFMPEG_PATH` or `FFMPEG_PATH`, then an ffmpeg >= 5.1 on PATH, then the bundled build, with
 * a warning and never in production unless `ALLOW_BUNDLED_FFMPEG=1`. Fails with `MediaToolMissing` when none may be used.
 * `FOOTNOTE_SANDBOX=required`, production's default, fails with `SandboxMissing` where a decoder would reach files, sockets,
 * the network or other processes; `auto` tells what it would; `off` leaves the confinement to the container.
 */
export const findMediaTools = Effect.gen(function*() {
  const { allow_bundled, explicit, ffprobe, hwaccel, path, production, sandbox } = yield* decoderConfig
  const system = Option.isSome(explicit)
    ? yield* named(explicit.value, production, allow_bundled)
    : yield* Effect.gen(function*() {
      const file = yield* onPath("ffmpeg", path)
      if (file === null) return null
      const found = yield* inspect(file).pipe(Effect.orElseSucceed(() => null))
      return found?.recent === true ? found : null
    })
  const found = system === null
    ? yield* bundled(production, allow_bundled)
    : { ...system, ffprobe: Option.getOrNull(ffprobe) ?? (yield* onPath("ffprobe", path)) }
  const mode = Option.getOrElse(sandbox, () => (production ? "required" as const : "auto" as const))
  if (mode === "off") yield* Effect.logWarning("FOOTNOTE_SANDBOX=off: only the container confines the decoders.")
  const confined = (devices: boolean) =>
    mode === "off"
      ? Effect.succeed({ tools: unconfined, warnings: [] })
      : findConfinement(path, found.ffmpeg, { devices, required: mode === "required" })
  const confinement = yield* confined(false)
  const offered = hwaccel !== "none" && (yield* offers(found.ffmpeg, hwaccel))
  const opened = offered ? yield* confined(true) : { tools: unconfined, warnings: [] }
  const tools: MediaTools = {
    ffmpeg: found.ffmpeg,
    ffprobe: found.ffprobe,
    version: found.version,
    libavformat: found.libavformat,
    sandbox: confinement.tools,
    hwaccel: hwaccel === "none" ? null : { name: hwaccel, offered, sandbox: opened.tools },
    warnings: [...new Set([...confinement.warnings, ...opened.warnings])]
  }
  return tools
}).pipe(Effect.withSpan("findMediaTools"))
