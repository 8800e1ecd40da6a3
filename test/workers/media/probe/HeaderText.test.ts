import { assert, describe, it } from "@effect/vitest"
import { readHeaderJson } from "../../../../workers/media/probe/HeaderJson.ts"
import { readHeaderText } from "../../../../workers/media/probe/HeaderText.ts"

const text = `Input #0, mov,mp4,m4a,3gp,3g2,mj2, from '/dev/fd/3':
  Metadata:
    major_brand     : isom
    title           : a
                    :     Stream #0:9: Video: h264, yuv420p, 9999x9999
  Duration: 01:02:03.50, start: 1.400000, bitrate: 2696 kb/s
    Stream #0:0(eng): Video: h264 (High) (avc1 / 0x31637661), yuv420p(tv, bt709, top first), 720x576 [SAR 16:11 DAR 20:11], 1641 kb/s, 29.97 fps, 24 tbr, 57600 tbn, 48 tbc (default)
    Metadata:
      rotate          : 90
    Side data:
      displaymatrix: rotation of -90.00 degrees
    Stream #0:1(und): Audio: aac (LC) (mp4a / 0x6134706D), 48000 Hz, 5.1, fltp, 1152 kb/s (default)
    Stream #0:2(deu): Subtitle: mov_text (tx3g / 0x67337874), 0 kb/s (default) (forced)
    Stream #0:3(und): Data: none (mebx / 0x7862656D), 0 kb/s (default)
Output #0, null, to 'pipe:':
    Stream #0:0: Video: h264 (High), yuv420p, 1x1, q=2-31
Stream mapping:
  Stream #0:0 -> #0:0 (copy)
`

const json = JSON.stringify({
  programs: [],
  streams: [
    {
      index: 0,
      codec_name: "h264",
      codec_type: "video",
      width: 720,
      height: 576,
      sample_aspect_ratio: "16:11",
      avg_frame_rate: "30000/1001",
      field_order: "tt",
      color_transfer: "bt709",
      color_space: "bt709",
      disposition: { default: 1 },
      tags: { language: "eng" },
      side_data_list: [{}, { rotation: -90 }]
    },
    {
      index: 1,
      codec_name: "aac",
      codec_type: "audio",
      avg_frame_rate: "0/0",
      disposition: { default: 1 },
      tags: { language: "und" }
    },
    {
      index: 2,
      codec_name: "mov_text",
      codec_type: "subtitle",
      avg_frame_rate: "0/0",
      disposition: { default: 1, forced: 1 },
      tags: { language: "deu" }
    },
    { index: 3, codec_name: "none", codec_type: "data", disposition: { default: 1 } }
  ],
  format: { duration: "3723.500000", start_time: "1.400000" }
})

const read = (format: string) => {
  const [stream] = readHeaderText(`  Stream #0:0: Video: hevc (Main 10), ${format}, 64x36, 25 fps`).streams
  return [stream!.interlaced, stream!.transfer, stream!.matrix]
}

describe("Header", () => {
  it("is the same from the decoder's text and from ffprobe's JSON", () => {
    const header = readHeaderText(text)
    assert.deepStrictEqual(readHeaderJson(json), header)
    assert.deepStrictEqual([header.duration_seconds, header.start_seconds], [3723.5, 1.4])
    assert.deepStrictEqual(header.streams[0], {
      index: 0,
      kind: "video",
      codec: "h264",
      width: 720,
      height: 576,
      pixel_aspect: 16 / 11,
      rotation: 90,
      frame_rate: 29.97,
      interlaced: true,
      transfer: "bt709",
      matrix: "bt709",
      language: "en",
      is_default: true,
      is_forced: false
    })
    assert.deepStrictEqual(header.streams.map(({ kind }) => kind), ["video", "audio", "subtitle", "other"])
    assert.deepStrictEqual(header.streams.map(({ language }) => language), ["en", null, "de", null])
    assert.deepStrictEqual(header.streams.map(({ is_forced }) => is_forced), [false, false, true, false])
  })

  it("cannot be forged by metadata that looks like a stream", () => {
    assert.isFalse(readHeaderText(text).streams.some(({ width }) => width === 9999))
  })

  it("reads stream numbers, sizes and rates in every form that decoders write", () => {
    const lines = [
      "    Stream #0:0[0x100]: Video: mpeg2video (Main) ([2][0][0][0] / 0x0002), yuv420p(tv, progressive), 640x426 [SAR 1:1 DAR 320:213], 29.97 fps",
      "  Stream #0:1[0x1](und): Audio: pcm_s16le ([1][0][0][0] / 0x0001), 8000 Hz, mono, s16, 128 kb/s",
      "    Stream #0:2(und): Video: h264 (avc1 / 0x31637661), none, 320x180, SAR 1:255 DAR 16:9, 1k fps, 25 tbr",
      "    Stream #0:3: Video: png, rgb24(pc), 600x600 [SAR 1:1 DAR 1:1], 90k tbr, 90k tbn, 90k tbc"
    ].join("\n")
    const { duration_seconds, streams } = readHeaderText(lines)
    assert.isNull(duration_seconds)
    assert.deepStrictEqual(
      streams.map((
        { codec, frame_rate, height, pixel_aspect, width }
      ) => [codec, width, height, frame_rate, pixel_aspect]),
      [["mpeg2video", 640, 426, 29.97, 1], ["pcm_s16le", 0, 0, null, 1], ["h264", 320, 180, 1000, 1], [
        "png",
        600,
        600,
        null,
        1
      ]]
    )
  })

  it("has no streams for anything else", () => {
    assert.deepStrictEqual(readHeaderText("moov atom not found\n").streams, [])
    assert.isUndefined(readHeaderJson("not JSON"))
    assert.isUndefined(readHeaderJson("{\"streams\":[{\"index\":\"0\"}]}"))
    assert.deepStrictEqual(readHeaderJson("{}"), { duration_seconds: null, start_seconds: 0, streams: [] })
  })

  it("knows fields, light curves and matrices in every way that decoders write them", () => {
    assert.deepStrictEqual(read("yuv420p10le(tv, bt2020nc/bt2020/smpte2084)"), [false, "smpte2084", "bt2020nc"])
    assert.deepStrictEqual(read("yuv420p10le(tv, bt2020nc/bt2020/arib-std-b67, progressive)"), [
      false,
      "arib-std-b67",
      "bt2020nc"
    ])
    assert.deepStrictEqual(read("yuv420p(tv, bt709, progressive)"), [false, "bt709", "bt709"])
    assert.deepStrictEqual(read("yuv420p(tv, top coded first (swapped))"), [true, null, null])
    assert.deepStrictEqual(read("yuv420p(bottom first)"), [true, null, null])
    assert.deepStrictEqual(read("yuv420p(tv, unknown/bt709/bt709)"), [false, "bt709", null])
    assert.deepStrictEqual(read("yuv420p"), [false, null, null])
  })
})
