import { Effect, References } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { parseArgs } from "node:util"
import { canary } from "../test/support/Canary.ts"
import { hostileClips, stock } from "../test/workers/media/HostileClips.ts"
import { expectedEnd, HOSTILE_PORT, hostileFolder, hostileNames } from "../test/workers/media/HostileFiles.ts"
import { endOf, layerWatched } from "../test/workers/media/HostileRun.ts"
import { MediaLab } from "../test/workers/media/MediaLab.ts"
import { mutants, type Original } from "../test/workers/media/Mutations.ts"
import { sandboxPaths } from "../test/workers/media/SandboxPaths.ts"
import { workingSandboxes } from "../workers/media/ffmpeg/FindSandbox.ts"
import { runMedia } from "../workers/media/ffmpeg/MediaProcess.ts"
import { meansOf, type SandboxTools, unconfined } from "../workers/media/ffmpeg/Sandbox.ts"
import { runsBehind } from "../workers/media/ffmpeg/TrialRun.ts"
import { descendantsOf } from "./ProcessTree.ts"

/** Milliseconds between looks at the decoders: a process's peak stays readable until it is gone. */
const EVERY = 10

interface Run {
  readonly name: string
  readonly kind: string
  readonly ends: string
  readonly wall_seconds: number
  /** Most resident memory of any one process that decoded; 0 where none ran long enough to be seen. */
  readonly peak_megabytes: number
}

/** What no file should do: it tells of none unless something is wrong. */
interface HostileReport {
  readonly runs: ReadonlyArray<Run>
  readonly wrong: ReadonlyArray<string>
  readonly connections: number
}

const peakOf = (pid: number): number => {
  try {
    return Number(/^VmHWM:\s+(\d+)/mu.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** Looks at every process below this one until it is called; gives the most memory that any of them had. */
const watchPeak = (): () => number => {
  let peak = 0
  const timer = setInterval(() => {
    for (const pid of descendantsOf(process.pid)) peak = Math.max(peak, peakOf(pid))
  }, EVERY)
  return () => {
    clearInterval(timer)
    return Math.round(peak)
  }
}

const measured = Effect.fnUntraced(function*(name: string, kind: string, file: string) {
  const stop = watchPeak()
  const start = performance.now()
  const ends = yield* endOf(file).pipe(
    Effect.catchDefect((defect) => Effect.succeed(`BROKEN: ${String(defect)}`))
  )
  const run: Run = {
    name,
    kind,
    ends,
    wall_seconds: Math.round(performance.now() - start) / 1000,
    peak_megabytes: stop()
  }
  return run
})

const print = (...lines: ReadonlyArray<string>) => {
  for (const line of lines) console.log(line)
}

/** Best of five decodings of the sample's first 20 s, in milliseconds. */
const cost = Effect.fnUntraced(function*(sandbox: SandboxTools, file: string) {
  const lab = yield* MediaLab
  let best = Infinity
  for (let round = 0; round < 5; round++) {
    const start = performance.now()
    yield* Effect.scoped(Effect.gen(function*() {
      const { ended, stdout } = yield* runMedia({ ...lab.tools, sandbox }, {
        program: "ffmpeg",
        input: file,
        wall_seconds: 60,
        args: "-v error -nostdin -threads 1 -t 20 -i /dev/fd/3 -an -vf fps=2,scale=320:180 -f rawvideo -".split(" ")
      })
      yield* Effect.promise(() => buffer(stdout))
      yield* ended
    }))
    best = Math.min(best, performance.now() - start)
  }
  return Math.round(best)
})

/** Best of twenty starts behind each confinement that works here, and behind none, in milliseconds. */
const startCosts = async (ffmpeg: string) => {
  const rows: Array<{ readonly milliseconds: number; readonly behind: string }> = []
  for await (const tools of workingSandboxes(ffmpeg, sandboxPaths())) {
    let best = Infinity
    for (let round = 0; round < 20; round++) {
      const start = performance.now()
      await runsBehind(tools, ffmpeg, ["-version"])
      best = Math.min(best, performance.now() - start)
    }
    rows.push({ milliseconds: Math.round(10 * best) / 10, behind: meansOf(tools).join(", ") || "nothing" })
  }
  return rows
}

const summaryOf = (runs: ReadonlyArray<Run>) => {
  const rows = [...Map.groupBy(runs, ({ kind }) => kind)].map(([kind, group]) => {
    const ends = [...Map.groupBy(group, (run) => run.ends)].map(([end, those]) => `${end} ${those.length}`).toSorted()
    return {
      kind,
      files: group.length,
      ends: ends.join(", "),
      slowest_seconds: Math.max(...group.map((run) => run.wall_seconds)),
      peak_megabytes: Math.max(...group.map((run) => run.peak_megabytes))
    }
  })
  return rows
}

/**
 * Runs every hostile file there is, and spoiled copies of them and of the samples, through probe, sound, captions and frames,
 * and prints how each ended, in what time and memory. `--mutations=N` copies of each set (100), `--seed=N` (1). Sets the exit
 * code to 1 if one ended with no code of the closed list, otherwise than it has to, left a process or a temporary
 * file, or reached a listener on this machine.
 */
export const run = async (args: ReadonlyArray<string> = []): Promise<HostileReport> => {
  const { values } = parseArgs({
    args: [...args],
    options: { mutations: { type: "string", default: "100" }, seed: { type: "string", default: "1" } }
  })
  const draw = { count: Number(values.mutations), seed: Number(values.seed) }
  const program = Effect.gen(function*() {
    const lab = yield* MediaLab
    const { port, seen } = yield* canary(HOSTILE_PORT)
    const sample = join(import.meta.dirname, "../samples/lecture.mp4")
    const [free, confined] = [yield* cost(unconfined, sample), yield* cost(lab.tools.sandbox, sample)]
    print(
      `Decoder: ${lab.tools.version}`,
      `Behind: ${meansOf(lab.tools.sandbox).join(", ") || "nothing"}`,
      ...lab.tools.warnings.map((warning) => `Warning: ${warning}`),
      `20 s of the sample decode in ${free} ms without and ${confined} ms with confinement (best of 5)`,
      ""
    )
    console.table(yield* Effect.promise(() => startCosts(lab.tools.ffmpeg)))

    const runs: Array<Run> = []
    const wrong: Array<string> = []
    const add = (run: Run, expected?: string) => {
      runs.push(run)
      const right = expected === undefined ? !/BROKEN|retried/u.test(run.ends) : run.ends === expected
      if (!right) {
        wrong.push(`${run.name} (${run.kind}) ends ${run.ends}${expected === undefined ? "" : `, not ${expected}`}`)
      }
    }
    for (const { ends, name, of } of hostileClips) {
      const file = of({ ffmpeg: lab.tools.ffmpeg, folder: lab.folder }, port)
      add(yield* measured(name, "made here", file), ends)
    }
    for (const name of hostileNames) {
      add(yield* measured(name, "hostile files", join(hostileFolder, name)), expectedEnd(name))
    }
    console.table(
      runs.map(({ ends, name, peak_megabytes, wall_seconds }) => ({ name, ends, wall_seconds, peak_megabytes }))
    )

    const ours: Array<Original> = []
    for (const [name, recipe] of Object.entries(stock)) {
      ours.push({ name, bytes: readFileSync(yield* lab.make(name, recipe)) })
    }
    for (const name of ["lecture.mp4", "product-demo.mp4"]) {
      ours.push({ name, bytes: readFileSync(join(import.meta.dirname, "../samples", name)) })
    }
    const theirs = hostileNames.map((name) => ({ name, bytes: readFileSync(join(hostileFolder, name)) }))
    for (const [whose, originals] of [["of ours", ours], ["of hostile files", theirs]] as const) {
      if (originals.length === 0) continue
      for (const { bytes, kind, name } of mutants(originals, draw)) {
        add(yield* measured(name, `${kind} ${whose}`, yield* lab.write("mutant", bytes)))
      }
    }
    console.table(summaryOf(runs))
    const slowest = runs.toSorted((a, b) => b.wall_seconds - a.wall_seconds)[0]!
    const largest = runs.toSorted((a, b) => b.peak_megabytes - a.peak_megabytes)[0]!
    print(
      `${runs.length} files; slowest ${slowest.name} with ${slowest.wall_seconds} s, largest ${largest.name} with `
        + `${largest.peak_megabytes} MB; ${seen.connections} connections; ${wrong.length} wrong`,
      ...wrong
    )
    if (wrong.length > 0 || seen.connections > 0) process.exitCode = 1
    const report: HostileReport = { runs, wrong, connections: seen.connections }
    return report
  })
  return await Effect.runPromise(
    program.pipe(
      Effect.scoped,
      Effect.provide(layerWatched),
      Effect.provideService(References.MinimumLogLevel, "Error")
    )
  )
}
