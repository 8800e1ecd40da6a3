import { assert, describe, it } from "@effect/vitest"
import type { Probe } from "../../../../src/jobs/model/StageIo.ts"
import { longestRun } from "../../../../workers/media/frames/SampleDecoder.ts"
import {
  decoderOptions,
  frameGraph,
  oneGraph,
  packetSieve,
  picture,
  still
} from "../../../../workers/media/probe/DecodePlan.ts"

const video = {
  index: 0,
  codec: "h264",
  width: 1920,
  height: 1080,
  rotation: 0,
  frame_rate: 30,
  t_start: 0,
  interlaced: false,
  transfer: null,
  matrix: null,
  longest_gap: 1 / 30,
  longest_key_gap: 8
} as const

describe("what a decoder may leave out", () => {
  it("is never a picture that may stand longer than a sample", () => {
    assert.deepStrictEqual(decoderOptions(video), ["-skip_loop_filter", "all", "-skip_frame", "noref"])
    assert.deepStrictEqual(decoderOptions({ ...video, longest_gap: 0.51 }), ["-skip_loop_filter", "all"])
    assert.deepStrictEqual(decoderOptions({ ...video, codec: "av1" }), ["-skip_frame", "noref"])
    assert.deepStrictEqual(decoderOptions({ ...video, codec: "av1", longest_gap: 0.51 }), [])
    assert.deepStrictEqual(decoderOptions({ ...video, codec: "vp9" }), [])
  })

  it("is all but the key pictures where every sample has one", () => {
    const dense = { ...video, longest_key_gap: 0.5 }
    assert.deepStrictEqual(decoderOptions(dense), ["-skip_loop_filter", "all", "-skip_frame", "nokey"])
    assert.deepStrictEqual(decoderOptions({ ...dense, codec: "mpeg2video" }), ["-skip_frame", "nokey"])
    assert.deepStrictEqual(decoderOptions({ ...dense, codec: "av1" }), ["-skip_frame", "nokey"])
    // Its decoder does not skip to keys.
    assert.deepStrictEqual(decoderOptions({ ...dense, codec: "vp9" }), [])
    assert.notInclude(decoderOptions({ ...dense, longest_key_gap: null }), "nokey")
  })
})

const probe = (of: Partial<NonNullable<Probe["video"]>>, duration_seconds = 60, demuxer = "matroska"): Probe => ({
  source: { key: "a", size_bytes: 1, sha256: "b".repeat(64) },
  demuxer,
  facts: {
    container: "webm",
    duration_seconds,
    width: 1920,
    height: 1080,
    frame_rate: 30,
    audio: null,
    video: "av1",
    size_bytes: 1,
    sha256: "b".repeat(64)
  },
  video: { ...video, codec: "av1", ...of },
  has_audio: false,
  audio_streams: [],
  caption_streams: []
})

describe("how long a decoder may run", () => {
  it("grows with the pixels that a second of the video has, up to 16 times", () => {
    assert.strictEqual(longestRun(probe({})), 180)
    assert.strictEqual(longestRun(probe({ frame_rate: null }, 10)), 60)
    assert.strictEqual(longestRun(probe({ frame_rate: 240 }, 13)), 240)
    assert.strictEqual(longestRun(probe({ frame_rate: 1e6, width: 4096, height: 4096 }, 13)), 960)
  })
})

const grounded = (graph: string) => graph.includes("overlay")

describe("the ground of transparent pictures", () => {
  it("is laid under stills of codecs that may have it, and under no film", () => {
    const size = { width: 320, height: 180 }
    for (const codec of ["prores", "qtrle", "ffv1"]) {
      assert.isTrue(grounded(still({ ...video, codec }, size, null)))
      assert.isTrue(grounded(frameGraph({ ...video, codec }, size, 0)))
      assert.isFalse(grounded(picture({ ...video, codec }, size, "bt709")))
    }
    assert.isFalse(grounded(still({ ...video, codec: "h264" }, size, null)))
  })
})

describe("which packets are decoded", () => {
  const recent = [59, 27] as const

  it("is chosen where that saves more than it takes, and where nothing is lost on the way", () => {
    assert.isNotNull(packetSieve(probe({}), recent))
    assert.isNotNull(packetSieve(probe({}, 60, "mov"), recent))
    assert.isNull(packetSieve(probe({}), [58, 24]))
    for (
      const none of [
        probe({ codec: "h264" }),
        probe({ codec: "vp9", longest_key_gap: 1 }),
        probe({}, 9),
        probe({ rotation: 90 }),
        probe({ transfer: "smpte2084" }),
        probe({}, 60, "mpegts"),
        { ...probe({}), video: null }
      ]
    ) assert.isNull(packetSieve(none, recent))
  })
})

describe("a graph of filters", () => {
  it("goes on where pictures change size, but where something turns them, which counts on their size", () => {
    assert.deepStrictEqual(oneGraph(video), ["-reinit_filter", "0"])
    assert.deepStrictEqual(oneGraph({ ...video, rotation: 90 }), [])
  })
})

describe("the filters", () => {
  it("weave fields apart and bring HDR into range only where the stream has them", () => {
    const size = { width: 1280, height: 720 }
    assert.notMatch(frameGraph(video, size, 0), /yadif|lutrgb/u)
    assert.match(
      frameGraph({ ...video, interlaced: true }, size, 3),
      /start_time=1\.5:round=up,scale=iw:ih,yadif=.*,scale=1280:720/u
    )
    assert.match(frameGraph({ ...video, transfer: "smpte2084" }, size, 0), /format=rgb24,lutrgb=.*,format=yuv420p/u)
  })
})
