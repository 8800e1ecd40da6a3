import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { InferenceSession, Tensor } from "onnxruntime-node"
import { afterAll, describe, expect, it } from "vitest"
import { openSortformerTracker } from "../../../../workers/speech/drivers/SortformerTracker.ts"
import { openTrackerOf } from "../../../../workers/speech/drivers/SpeechDrivers.ts"
import { logMel } from "../../../../workers/speech/dsp/FeatureExtractor.ts"
import type { PcmFile } from "../../../../workers/speech/dsp/PcmFile.ts"
import { type CachedFrame, compressed } from "./PlainSpeakerCache.ts"
import { SORTFORMER, writeRandomSortformer } from "./ToySortformer.ts"
import { noise } from "./ToyTdt.ts"

const root = mkdtempSync(join(tmpdir(), "footnote-sortformer-"))
afterAll(() => rmSync(root, { recursive: true }))

const files = writeRandomSortformer(root)
const { bins, channels, subsampling, width } = SORTFORMER
/** In a small cache frames are pushed out within seconds; the whole of one takes minutes. */
const small = { chunk_frames: 40, context_frames: 6, recent_frames: 9, moved_frames: 33, cache_frames: 64 }
const real = { chunk_frames: 340, context_frames: 40, recent_frames: 40, moved_frames: 300, cache_frames: 264 }

const open = (options: Readonly<Record<string, number>>) =>
  openSortformerTracker(files.model, { name: "toy-sortformer", options: { ...options, width } })

/** Sound in memory; `read` hears of every range that is asked for. */
const pcmOf = (samples: Float32Array, read: (count: number) => void = () => {}): PcmFile => ({
  samples: samples.length,
  seconds: samples.length / 16_000,
  read: (from, to) => {
    const part = samples.slice(Math.max(0, from), Math.min(samples.length, to))
    read(part.length)
    return Promise.resolve(part)
  },
  [Symbol.asyncDispose]: () => Promise.resolve()
})

/** The whole loop over the file itself, in lists: probabilities of every frame of 80 ms, and how often a cache was full. */
const reference = async (samples: Float32Array, policy: typeof real) => {
  const session = await InferenceSession.create(files.model)
  const { data, frames } = logMel(samples, bins)
  const heard = frames - 1
  const rows = Array.from(
    { length: Math.ceil(heard / subsampling) * subsampling },
    (_, t) => Array.from({ length: bins }, (_, bin) => t < heard ? data[bin * frames + t]! : 0)
  )
  const count = rows.length / subsampling
  const told: Array<ReadonlyArray<number>> = []
  let [cache, fifo]: [Array<CachedFrame>, Array<CachedFrame>] = [[], []]
  let fills = 0
  for (let start = 0; start < count; start += policy.chunk_frames) {
    const end = Math.min(count, start + policy.chunk_frames)
    const stop = Math.min(count, end + policy.context_frames)
    const shown = [...cache, ...fifo]
    const out = await session.run({
      input_features: new Tensor(
        "float32",
        Float32Array.from(rows.slice(start * subsampling, stop * subsampling).flat()),
        [1, (stop - start) * subsampling, bins]
      ),
      cached_embeds: new Tensor("float32", Float32Array.from(shown.flatMap(({ embed }) => embed)), [
        1,
        shown.length,
        width
      ]),
      attention_mask: new Tensor(
        "int64",
        new BigInt64Array(shown.length + stop - start).fill(1n),
        [1, shown.length + stop - start]
      )
    })
    const logits = out["logits"]!.data as Float32Array
    const p = Array.from(
      { length: shown.length + stop - start },
      (_, row) =>
        Array.from(
          { length: channels },
          (_, s) =>
            Array.from({ length: subsampling }, (_, k) =>
              1 / (1 + Math.exp(-logits[(row * subsampling + k) * channels + s]!)))
              .reduce((sum, one) =>
                sum + one, 0) / subsampling
        )
    )
    told.push(...p.slice(shown.length, shown.length + end - start))
    const embeds = Array.from(out["chunk_embeds"]!.data as Float32Array)
    const fresh = Array.from({ length: end - start }, (_, i) => embeds.slice(i * width, (i + 1) * width))
    const queue = [...fifo.map(({ embed }) => embed), ...fresh]
      .map((embed, i): CachedFrame => ({ embed, p: p[cache.length + i]! }))
    fifo = queue
    if (queue.length <= policy.recent_frames) continue
    const popped = Math.min(queue.length, Math.max(policy.moved_frames, queue.length - policy.recent_frames))
    const before = fills > 0 ? cache : cache.map(({ embed }, i): CachedFrame => ({ embed, p: p[i]! }))
    cache = [...before, ...queue.slice(0, popped)]
    fifo = queue.slice(popped)
    if (cache.length > policy.cache_frames) {
      cache = compressed(cache, policy.cache_frames, Array.from(out["silence_embeds"]!.data as Float32Array))
      fills++
    }
  }
  return { told, fills }
}

const furthest = (probabilities: Float32Array, rows: ReadonlyArray<ReadonlyArray<number>>) =>
  rows.flat().reduce((most, one, i) => Math.max(most, Math.abs(one - probabilities[i]!)), 0)

describe("openSortformerTracker", () => {
  it.each([
    ["small caches, 20 s and a part of a frame", small, noise(21).subarray(0, 20.37 * 16_000), 4],
    ["the real sizes, 75 s", real, noise(75), 1],
    ["less sound than a step", real, noise(3).subarray(0, 40_000), 0],
    ["as many feature frames as whole frames of the network", small, noise(4).subarray(0, 3.2 * 16_000), 0]
  ])("hears who the loop in plain lists hears: %s", async (_, policy, samples, least) => {
    await using tracker = await open(policy)
    const { fills, told } = await reference(samples, policy)
    const { frame_seconds, probabilities } = await tracker.track(pcmOf(samples), {})
    expect(frame_seconds).toBe(0.08)
    expect(probabilities.length).toBe(told.length * channels)
    expect(probabilities.length / channels).toBe(Math.ceil(Math.floor(samples.length / 160) / 8))
    expect(furthest(probabilities, told)).toBeLessThan(1e-4)
    expect(fills).toBeGreaterThanOrEqual(least)
    // It is no easy sound: somebody is heard, somebody is not, and by what came before.
    expect(told.flat().some((p) => p > 0.6) && told.flat().some((p) => p < 0.4)).toBe(true)
  })

  it("hears nobody in no sound", async () => {
    await using tracker = await open(small)
    expect((await tracker.track(pcmOf(new Float32Array(100)), {})).probabilities.length).toBe(0)
  })

  it("shows the network no more than its cache and half a minute of sound, however long that is", async () => {
    await using tracker = await open(small)
    const reads: Array<number> = []
    const { prototype } = InferenceSession as unknown as {
      readonly prototype: { run: (feeds: Feeds) => Promise<unknown> }
    }
    type Feeds = Readonly<Record<string, { readonly dims: ReadonlyArray<number>; readonly data: ArrayLike<unknown> }>>
    const { run } = prototype
    const shown: Array<number> = []
    prototype.run = function(feeds: Feeds) {
      shown.push(feeds["cached_embeds"]!.dims[1]!)
      // No position is padding, and the mask says so of each.
      expect(feeds["attention_mask"]!.dims[1]).toBe(shown.at(-1)! + feeds["input_features"]!.dims[1]! / subsampling)
      expect(Array.from(feeds["attention_mask"]!.data).every((one) => one === 1n)).toBe(true)
      return Reflect.apply(run, this, [feeds])
    }
    try {
      await tracker.track(pcmOf(noise(60), (count) => reads.push(count)), {})
    } finally {
      prototype.run = run
    }
    expect(shown.length).toBe(Math.ceil(60 / 0.08 / small.chunk_frames))
    expect(Math.max(...shown)).toBeLessThanOrEqual(small.cache_frames + small.recent_frames)
    expect(Math.max(...reads)).toBeLessThanOrEqual((small.chunk_frames + small.context_frames + 1) * 8 * 160)
  })

  it("takes tenants in turn, step by step, and tells each what it is told alone", async () => {
    await using tracker = await open(small)
    const alone = await tracker.track(pcmOf(noise(10)), { tenant_id: "ten_1" })
    const steps: Array<string> = []
    const sound = (tenant_id: string, seconds: number) =>
      tracker.track(pcmOf(noise(seconds), () => steps.push(tenant_id)), { tenant_id })
    const [long, other, short] = await Promise.all([sound("ten_1", 30), sound("ten_1", 30), sound("ten_2", 10)])
    expect(short).toEqual(alone)
    expect(other).toEqual(long)
    // Of two jobs of one tenant and one of another, the other has every second step while it has any.
    expect(steps.slice(steps.indexOf("ten_2") + 1).slice(0, 6).filter((tenant) => tenant === "ten_2").length).toBe(3)
  })

  it("stops when it is cancelled, after the step at hand", async () => {
    await using tracker = await open(small)
    const controller = new AbortController()
    let steps = 0
    const tracked = tracker.track(
      pcmOf(noise(60), () => {
        if (++steps === 3) controller.abort(new Error("the job was cancelled"))
      }),
      { signal: controller.signal }
    )
    await expect(tracked).rejects.toThrow("the job was cancelled")
    expect(steps).toBe(3)
  })

  it("is what a stack's driver `sortformer` opens, and refuses a file or a network of another layout", async () => {
    const role = { driver: "sortformer", name: "toy", files, sha256: {}, options: { ...small, width } }
    await using tracker = await openTrackerOf(role)
    expect((await tracker.track(pcmOf(noise(1)), {})).channels).toBe(8)
    const other = join(root, "other.onnx")
    writeFileSync(other, "no network")
    for (
      const wrong of [
        { ...role, options: small },
        { ...role, options: { ...role.options, channels: 4 } },
        { ...role, driver: "ctc" },
        { ...role, files: { model: other } },
        { ...role, files: {} }
      ]
    ) await expect(openTrackerOf(wrong)).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE" })
  })
})
