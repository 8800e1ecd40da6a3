import { Effect } from "effect"
import { existsSync } from "node:fs"
import { readdir, readFile, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import type { BlobRef } from "../src/storage/BlobRef.ts"
import { findMediaTools } from "../workers/media/ffmpeg/Ffmpeg.ts"
import type { MediaContext } from "../workers/media/ffmpeg/MediaContext.ts"
import { defaultLimits } from "../workers/media/ffmpeg/MediaLimits.ts"
import { sampleFrames } from "../workers/media/frames/FrameSampling.ts"
import { PictureMemory } from "../workers/media/pixels/PictureMemory.ts"
import { probeFile } from "../workers/media/probe/ProbeStage.ts"
import type { State } from "./frames/ClipWriter.ts"
import { filmClips } from "./frames/FilmedClips.ts"
import { countFrames, type Counts, type Score, scoreFrames } from "./frames/FrameScores.ts"
import { makeClips } from "./frames/MadeClips.ts"
import { mediaNamed } from "./MediaBeside.ts"
import { folderNames, freeName } from "./SetNames.ts"

/** The selector was tuned on the clips of seed 1 and on recordings, not on these. */
const SEEDS = [11, 12]

/** What is filmed of still photographs; the selector was tuned on others, of npm's `tabler-ui`. */
const FILMED_SEED = 11
const PHOTOGRAPHS = ["astronaut.png", "coffee.png", "motorcycle_left.png"]

const photographsBeside = (folder: string): ReadonlyArray<string> =>
  PHOTOGRAPHS.map((name) => join(folder, "..", "..", "images", "dev", name)).filter((file) => existsSync(file))

export interface FramesReport extends Score {
  /** `file: why` of every truth that was not scored. */
  readonly unread: ReadonlyArray<string>
  /** By folder: clips made here, recordings with known changes, and lectures put together from slides. */
  readonly sets: Readonly<Record<string, Score & { readonly clips: Readonly<Record<string, Score>> }>>
}

interface Truth {
  readonly states?: ReadonlyArray<State>
  readonly slides?: ReadonlyArray<
    { readonly start: number; readonly end: number; readonly title?: string; readonly lines?: ReadonlyArray<string> }
  >
}

/** What a clip shows and when; null where the file tells of something else. */
const statesOf = ({ slides, states }: Truth): ReadonlyArray<State> | null => {
  if (states !== undefined) return states
  if (slides?.[0]?.start === undefined) return null
  return slides.map(({ end, lines = [], start, title }, at) => ({
    // A slide that comes back is the same; one of which nothing is written is like no other.
    id: title === undefined ? at : [title, ...lines].join("\n"),
    t0: start,
    t1: end,
    kind: "content"
  }))
}

const keptMoments = Effect.fnUntraced(function*(context: MediaContext, file: string) {
  const { size } = yield* Effect.promise(() => stat(file))
  const source: BlobRef = { key: basename(file), size_bytes: size, sha256: "0".repeat(64) }
  const { probe } = yield* probeFile(context, source, file)
  const { kept, timestamps } = yield* sampleFrames(context, probe, file, {
    keep: () => Effect.void,
    sampled: () => Effect.void
  })
  return [...kept].map((index) => timestamps[index]!)
})

const scoreFolder = Effect.fn("scoreFolder")(function*(context: MediaContext, folder: string) {
  const clips = new Map<string, ReadonlyMap<string, Counts>>()
  const unread: Array<string> = []
  const names = (yield* Effect.promise(() => readdir(folder))).toSorted()
  for (const [set, ending] of [["clips", ".gt.json"], ["lectures", ".truth.json"]] as const) {
    const counts = new Map<string, Counts>()
    for (const name of names.filter((file) => file.endsWith(ending))) {
      const truth: Truth = JSON.parse(yield* Effect.promise(() => readFile(join(folder, name), "utf8")))
      const states = statesOf(truth)
      const clip = name.slice(0, -ending.length)
      const media = mediaNamed(names, clip)
      if (states === null || media === undefined) {
        unread.push(
          `${join(folder, name)}: ${
            states === null ? "tells no states and no slides with start and end" : `no media named ${clip} beside it`
          }`
        )
        continue
      }
      counts.set(clip, countFrames(states, yield* keptMoments(context, join(folder, media))))
    }
    if (counts.size > 0) clips.set(set, counts)
  }
  return { clips, unread }
})

const three = (value: number | null): number | null => value === null ? null : Number(value.toFixed(3))

const rounded = ({ found, kept, kept_per_state, precision, recall, right, states, transitions }: Score) => ({
  states,
  found,
  kept,
  right,
  transitions,
  recall: three(recall),
  precision: three(precision),
  kept_per_state: three(kept_per_state)
})

/**
 * Which frames are kept, against what the clips are known to show: every medium `NAME.*` of a folder beside which lies a
 * `NAME.gt.json` with `states` or a `NAME.truth.json` with `slides`. Without folders, clips are made (once, minutes of
 * work, in the system's folder for temporary files). Precision counts strictly, see `countFrames`.
 */
export const run = async (
  folders: ReadonlyArray<string> = [],
  { usual = folders.length === 0 }: { readonly usual?: boolean } = {}
): Promise<FramesReport> => {
  const sets: Record<string, FramesReport["sets"][string]> = {}
  const all: Array<Counts> = []
  const unread: Array<string> = []
  await Effect.runPromise(Effect.gen(function*() {
    const tools = yield* findMediaTools
    const context: MediaContext = { tools, limits: defaultLimits, decode_threads: 2, memory: new PictureMemory() }
    const parent = join(tmpdir(), "footnote-made-clips")
    const made: Array<readonly [string, string]> = []
    for (const seed of usual ? SEEDS : []) {
      made.push([`made ${seed}`, yield* Effect.promise(() => makeClips(tools.ffmpeg, parent, seed))])
    }
    const photographs = folders.flatMap(photographsBeside)
    if (usual && photographs.length > 0) {
      made.push(["filmed", yield* Effect.promise(() => filmClips(tools.ffmpeg, parent, FILMED_SEED, photographs))])
    }
    const named = Array.from(folderNames(folders), ([folder, name]) => [name, folder] as const)
    for (const [name, folder] of [...made, ...named]) {
      const found = yield* scoreFolder(context, folder)
      unread.push(...found.unread)
      for (const [kind, counts] of found.clips) {
        const clips = [...counts].map(([clip, count]) => [clip, scoreFrames([count])] as const)
        const set = freeName(kind === "clips" ? name : `${name} ${kind}`, sets)
        sets[set] = { ...scoreFrames([...counts.values()]), clips: Object.fromEntries(clips) }
        all.push(...counts.values())
      }
    }
  }))
  for (const line of unread) console.log(`Not read: ${line}`)
  if (all.length === 0) throw new Error(`No clips with a truth beside them in ${folders.join(", ")}`)
  for (const [set, { clips }] of Object.entries(sets)) {
    console.log(set)
    console.table(Object.fromEntries(Object.entries(clips).map(([clip, one]) => [clip, rounded(one)])))
  }
  const score = scoreFrames(all)
  console.table(Object.fromEntries([...Object.entries(sets), ["all", score] as const].map(([set, value]) => [
    set,
    rounded(value)
  ])))
  return { ...score, sets, unread }
}
