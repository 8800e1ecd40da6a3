import { assert, layer as suite } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { breadth } from "../../support/Breadth.ts"
import { canary } from "../../support/Canary.ts"
import { hostileClips, stock } from "./HostileClips.ts"
import { expectedEnd, HOSTILE_PORT, hostileFolder, hostileNames } from "./HostileFiles.ts"
import { endOf, layerWatched } from "./HostileRun.ts"
import { MediaLab, recipes } from "./MediaLab.ts"
import { mutants, type Original } from "./Mutations.ts"

const footage = join(hostileFolder, "../video/dev")
const clips = existsSync(footage)
  ? breadth(readdirSync(footage).filter((name) => !/\.(?:json|vtt|srt)$/u.test(name)).toSorted())
  : []
if (hostileNames.length === 0 || clips.length === 0) {
  process.stdout.write("The hostile and development clips are not on this machine; made clips are checked.\n")
}

suite(layerWatched, { timeout: 180_000, excludeTestServices: true })("media from strangers", (it) => {
  for (const { ends, name, of } of hostileClips) {
    it.effect(`ends ${ends} and leaves nothing behind: ${name}`, () =>
      Effect.gen(function*() {
        const lab = yield* MediaLab
        const { port, seen } = yield* canary()
        const file = of({ ffmpeg: lab.tools.ffmpeg, folder: lab.folder }, port)
        assert.strictEqual(yield* endOf(file), ends)
        assert.strictEqual(seen.connections, 0)
      }).pipe(Effect.scoped))
  }

  it.effect("28 spoiled copies of every kind of container and of the samples end typed or sane, and leave nothing", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const originals: Array<Original> = []
      for (const [name, args] of Object.entries(stock)) {
        originals.push({ name, bytes: readFileSync(yield* lab.make(name, args)) })
      }
      for (const name of ["product-demo.mp4", "lecture.mp4"]) {
        const bytes = readFileSync(join(import.meta.dirname, "../../../samples", name))
        // The beginning alone: its header and a few seconds, so that the run stays short.
        originals.push({ name, bytes: bytes.subarray(0, 200_000) })
      }
      const ends = new Set<string>()
      for (const { bytes, kind, name } of mutants(originals, { count: 28, seed: 1 })) {
        const end = yield* endOf(yield* lab.write("mutant", bytes))
        assert.notMatch(end, /retried/u, `${name}, ${kind}`)
        ends.add(end)
      }
      // A run in which every copy ends alike has spoiled nothing, or everything.
      assert.isAtLeast(ends.size, 3)
    }))

  for (const name of hostileNames) {
    it.effect(`ends typed and bounded: ${name}`, () =>
      Effect.gen(function*() {
        const { seen } = yield* canary(HOSTILE_PORT)
        assert.strictEqual(yield* endOf(join(hostileFolder, name)), expectedEnd(name))
        assert.strictEqual(seen.connections, 0)
      }).pipe(Effect.scoped))
  }

  it.effect.skipIf(hostileNames.length === 0)(
    "10 spoiled copies of hostile files end typed or sane, and leave nothing",
    () =>
      Effect.gen(function*() {
        const lab = yield* MediaLab
        const originals = hostileNames.map((name) => ({
          name,
          bytes: readFileSync(join(hostileFolder, name))
        }))
        for (const { bytes } of mutants(originals, { count: 10, seed: 2, most_bytes: 400_000 })) {
          yield* endOf(yield* lab.write("mutant", bytes))
        }
      })
  )

  for (const name of clips) {
    it.effect(`reads as it is: ${name}`, () =>
      Effect.gen(function*() {
        const lab = yield* MediaLab
        const { codes, frames, images, pcm, probe } = yield* lab.run(join(footage, name))
        // One clip's header claims 143,165 s: that is told, and the packets' time is used.
        assert.deepStrictEqual(codes, name === "exo_sample_fragmented.mp4" ? ["DURATION_MISMATCH"] : [])
        const { duration_seconds } = probe.facts
        if (probe.has_audio) assert.isAtMost(pcm.length / 16_000, duration_seconds + 0.5)
        // The last picture stands until the end, for up to 1.6 s; the sound of one clip goes on for 1.5 s behind it.
        if (probe.video !== null) assert.approximately(frames.frames.at(-1)!.timestamp, duration_seconds, 2.1)
        assert.lengthOf(images, frames.kept)
        const clusters = frames.frames.filter(({ kept }) => kept).map(({ cluster }) => cluster)
        assert.deepStrictEqual(clusters, clusters.map((_, i) => i))
      }))
  }

  it.effect("refuses a playlist, whatever it is called, before any decoder runs", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      yield* lab.make("neighbour.mp4", recipes.video_only)
      const source = yield* lab.store(yield* lab.write("list.mp4", "ffconcat version 1.0\nfile neighbour.mp4\n"))
      const failure = yield* Effect.flip(lab.stages.probe({ ...lab.task("probe"), input: { source } }))
      assert.strictEqual(failure.code, "SOURCE_NOT_MEDIA")
    }))
})
