import { Effect } from "effect"
import { readdir, readFile, stat } from "node:fs/promises"
import { basename, join, resolve } from "node:path"
import type { BlobRef } from "../src/storage/BlobRef.ts"
import { findMediaTools } from "../workers/media/Ffmpeg.ts"
import { sampleFrames } from "../workers/media/FrameSampling.ts"
import type { MediaContext } from "../workers/media/MediaContext.ts"
import { defaultLimits, SAMPLES_PER_SECOND } from "../workers/media/MediaLimits.ts"
import { probeFile } from "../workers/media/ProbeStage.ts"

interface State {
  readonly t0: number
  readonly t1: number
  readonly kind: string
  readonly id: string | number
}

interface Score {
  readonly states: number
  readonly found: number
  readonly kept: number
  /** Kept frames that show a transition between two states. */
  readonly transitions: number
}

export interface FramesReport {
  /** Share of the true states that have at least one kept frame. */
  readonly recall: number
  readonly kept_per_state: number
  readonly transitions: number
  readonly sets: Readonly<Record<string, Score & { readonly seconds: number }>>
}

const isContent = ({ kind }: State) => kind === "content" || kind === "shot"

/** Counts distinct states that last at least one second; a state that comes back is the same state. */
const score = (states: ReadonlyArray<State>, kept: ReadonlySet<number>): Score => {
  const at = (index: number) => {
    const moment = index / SAMPLES_PER_SECOND + 1e-6
    return states.find(({ t0, t1 }) => moment >= t0 && moment < t1)
  }
  const wanted = new Set(states.filter((state) => isContent(state) && state.t1 - state.t0 >= 1).map(({ id }) => id))
  const hits = [...kept].map(at).filter((state) => state !== undefined && isContent(state))
  const found = new Set(hits.map((state) => state!.id))
  return {
    states: wanted.size,
    found: [...wanted].filter((id) => found.has(id)).length,
    kept: kept.size,
    transitions: kept.size - hits.length
  }
}

const measure = Effect.fn("measureClip")(function*(context: MediaContext, file: string, truth: string) {
  const { size } = yield* Effect.promise(() => stat(file))
  const source: BlobRef = { key: basename(file), size_bytes: size, sha256: "0".repeat(64) }
  const { probe } = yield* probeFile(context, source, file)
  const { kept } = yield* sampleFrames(context, probe, file, {
    keep: () => Effect.void,
    sampled: () => Effect.void
  })
  const { states } = JSON.parse(yield* Effect.promise(() => readFile(truth, "utf8"))) as { states: Array<State> }
  return { ...score(states, kept), seconds: probe.facts.duration_seconds }
})

/**
 * Frame selection against ground truth: every `NAME.mp4` of a folder that has a `NAME.gt.json` with `states` beside it.
 * `args[0]` is the folder, by default the development set beside the repository; clips without `states` are passed over.
 */
export const run = async (args: ReadonlyArray<string> = []): Promise<FramesReport> => {
  const folder = resolve(args[0] ?? join(import.meta.dirname, "../../shared/assets/video/dev"))
  const names = (await readdir(folder)).filter((name) => name.endsWith(".gt.json")).toSorted()
  const sets: Record<string, Score & { readonly seconds: number }> = {}
  await Effect.runPromise(Effect.gen(function*() {
    const context: MediaContext = { tools: yield* findMediaTools, limits: defaultLimits, decode_threads: 2 }
    for (const name of names) {
      const truth = join(folder, name)
      const { states } = JSON.parse(yield* Effect.promise(() => readFile(truth, "utf8"))) as { states?: unknown }
      if (!Array.isArray(states)) continue
      const clip = name.slice(0, -".gt.json".length)
      sets[clip] = yield* measure(context, join(folder, `${clip}.mp4`), truth)
    }
  }))
  const sum = (field: keyof Score) => Object.values(sets).reduce((total, set) => total + set[field], 0)
  const scores = {
    recall: sum("found") / sum("states"),
    kept_per_state: sum("kept") / sum("states"),
    transitions: sum("transitions"),
    sets
  }
  console.table(sets)
  console.log(`recall ${scores.recall.toFixed(3)}, kept per state ${scores.kept_per_state.toFixed(3)}`)
  return scores
}
