import { assert, layer as suite } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { flags } from "../../../workers/media/ffmpeg/InputArguments.ts"
import { breadth } from "../../support/Breadth.ts"
import { beep, FLOAT, heardFrom, lavfi, near, PCM, peak, RATE, s16, tone, wav } from "./MadeAudio.ts"
import { canEncode, layer, MediaLab } from "./MediaLab.ts"

const pictures = (seconds: number) => flags(`-f lavfi -i color=red:size=64x64:rate=10:duration=${seconds}`)

const tracks = (lab: MediaLab["Service"], name: string, dispositions: string) =>
  lab.make(name, [
    ...lavfi([tone(0.2, 0.4)], 1.5, "mono"),
    ...lavfi([tone(0.5, 1)], 1.5, "mono"),
    ...flags(`-map 0:a -map 1:a -c:a flac ${dispositions} NAME`)
  ])

suite(layer, { timeout: 180_000, excludeTestServices: true })("sound as people have it", (it) => {
  const hears = (
    title: string,
    make: (lab: MediaLab["Service"]) => Effect.Effect<string>,
    from: number,
    to: number,
    expected: {
      readonly codes?: ReadonlyArray<string>
      readonly audio?: string
      readonly slack?: number
      /** One that the decoder's build may lack. */
      readonly encoder?: string
    } = {}
  ) =>
    it.effect(title, () =>
      Effect.gen(function*() {
        const lab = yield* MediaLab
        if (expected.encoder !== undefined && !canEncode(lab.tools.ffmpeg, expected.encoder)) {
          return process.stdout.write(`left out: no ${expected.encoder} here\n`)
        }
        const { codes, frames, pcm, probe } = yield* lab.run(yield* make(lab))
        assert.deepStrictEqual(codes, expected.codes ?? [])
        if (expected.audio !== undefined) assert.strictEqual(probe.facts.audio, expected.audio)
        assert.strictEqual(frames.visual_branch, probe.video === null ? "absent" : "present")
        near(heardFrom(pcm), from, to, expected.slack)
      }))

  const telephone: ReadonlyArray<readonly [codec: string, name: string, ...ReadonlyArray<string>]> = [
    ["pcm_mulaw", "mulaw.wav", "-ar", "8000"],
    ["pcm_alaw", "alaw.wav", "-ar", "8000"],
    ["amr_nb", "voice.amr", "-ar", "8000", "-c:a", "libopencore_amrnb", "-b:a", "12.2k"],
    ["adpcm_ms", "voice-mail.wav", "-ar", "8000"],
    ["pcm_u8", "eight-bit.wav", "-ar", "8000"]
  ]
  for (const [codec, name, ...options] of breadth(telephone)) {
    const args = options.includes("-c:a") ? options : [...options, "-c:a", codec]
    hears(
      `hears a telephone's 8 kHz in ${codec}, at the same moments`,
      (lab) =>
        lab.make(name, [
          ...lavfi([tone(0.5, 1.5)], 2, "mono", 8000),
          ...args,
          "NAME"
        ]),
      0.5,
      1.5,
      { audio: codec, encoder: args[args.indexOf("-c:a") + 1]! }
    )
  }

  hears(
    "hears 192 kHz in 32-bit float",
    (lab) => lab.make("studio.wav", [...lavfi([tone(0.5, 1)], 1.5, "mono", 192_000), ...flags("-c:a pcm_f32le NAME")]),
    0.5,
    1
  )

  hears(
    "hears 24-bit RF64",
    (lab) =>
      lab.make("long.wav", [...lavfi([tone(0.5, 1)], 1.5, "mono"), ...flags("-rf64 always -c:a pcm_s24le NAME")]),
    0.5,
    1
  )

  const quiet = "0"
  for (const [layout, channels] of [["5.1", "FL FR FC LFE BL BR"], ["7.1", "FL FR FC LFE BL BR SL SR"]] as const) {
    for (const only of layout === "5.1" ? ["FC", "BL", "LFE"] : breadth(["FC", "BL", "LFE"])) {
      const names = channels.split(" ")
      const codes = only === "LFE" ? ["AUDIO_CHANNEL_CHOSEN"] : []
      hears(
        `hears what is in ${only} alone of ${layout}`,
        (lab) =>
          lab.make(`${layout}-${only}.wav`, [
            ...lavfi(names.map((name) => name === only ? tone(0.5, 1) : quiet), 1.5, layout),
            ...flags("-c:a pcm_s16le NAME")
          ]),
        0.5,
        1,
        { codes }
      )
    }
  }

  for (
    const [name, codec] of breadth([["opposite.wav", "pcm_s16le"], ["opposite.mp3", "libmp3lame"], [
      "opposite.m4a",
      "aac"
    ]])
  ) {
    hears(
      `hears stereo whose channels are each other turned over, in ${codec}`,
      (lab) =>
        lab.make(name!, [
          ...lavfi([tone(0.5, 1), `-1*${tone(0.5, 1)}`], 1.5, "stereo"),
          ...flags(`-c:a ${codec} NAME`)
        ]),
      0.5,
      1,
      { codes: ["AUDIO_CHANNEL_CHOSEN"] }
    )
  }

  hears(
    "hears one side of a stereo track at half its height at least",
    (lab) => lab.make("one-side.flac", [...lavfi([quiet, tone(0.5, 1)], 1.5, "stereo"), ...flags("-c:a flac NAME")]),
    0.5,
    1
  )

  hears(
    "keeps later moments where they are when the rate changes in the middle of the stream",
    (lab) =>
      Effect.gen(function*() {
        const parts: Array<Buffer> = []
        for (const [i, rate] of [44_100, 22_050].entries()) {
          parts.push(readFileSync(
            yield* lab.make(`part${i}.ts`, [
              ...lavfi([tone(0.5, 1)], 1.5, "mono", rate),
              ...flags(`-c:a aac -output_ts_offset ${1.5 * i} NAME`)
            ])
          ))
        }
        return yield* lab.write("two-rates.ts", Buffer.concat(parts))
      }),
    0.5,
    2.5,
    { slack: 0.1 }
  )

  for (const [name, codec] of [["gap.mkv", "flac"], ["gap.mp4", "aac"]]) {
    hears(
      `fills a gap in the timestamps of ${codec} with silence, so that later moments stay right`,
      (lab) =>
        lab.make(name!, [
          ...lavfi([`${tone(0.5, 1)}+${tone(4, 4.5)}`], 5, "mono"),
          "-af",
          "asetpts=if(gte(T\\,2)\\,PTS+4/TB\\,PTS)",
          "-c:a",
          codec!,
          "NAME"
        ]),
      0.5,
      8.5
    )
  }

  hears(
    "keeps the silence before a track that starts late",
    (lab) =>
      lab.make("late.mkv", [
        ...pictures(5),
        "-itsoffset",
        "3",
        ...lavfi([tone(0.5, 1)], 1.5, "mono"),
        ...flags("-c:v libx264 -c:a libmp3lame NAME")
      ]),
    3.5,
    4
  )

  hears(
    "counts from the first picture or sound where the container's clock starts elsewhere",
    (lab) =>
      lab.make("clock.ts", [
        ...pictures(4),
        "-itsoffset",
        "1",
        ...lavfi([tone(0.5, 1)], 1.5, "mono"),
        ...flags("-c:v libx264 -c:a mp2 -output_ts_offset 7000 NAME")
      ]),
    1.5,
    2
  )

  hears(
    "counts from sound that begins before the pictures, at a negative time",
    (lab) =>
      lab.make("early.mkv", [
        ...pictures(2),
        "-itsoffset",
        "-0.5",
        ...lavfi([tone(1, 1.5)], 2.5, "mono"),
        ...flags("-avoid_negative_ts disabled -c:v libx264 -c:a libmp3lame NAME")
      ]),
    1,
    1.5
  )

  hears(
    "hears sound that goes on after the pictures",
    (lab) =>
      lab.make("longer.mp4", [
        ...flags("-f lavfi -i color=red:size=64x64:rate=10:duration=1"),
        ...lavfi([tone(3, 3.5)], 4, "mono"),
        ...flags("-c:v libx264 -c:a aac NAME")
      ]),
    3,
    3.5
  )

  hears(
    "hears sound that stops long before the pictures",
    (lab) =>
      lab.make("shorter.mp4", [
        ...flags("-f lavfi -i color=red:size=64x64:rate=10:duration=6"),
        ...lavfi([tone(0.5, 1)], 1.2, "mono"),
        ...flags("-c:v libx264 -c:a aac NAME")
      ]),
    0.5,
    1
  )

  hears(
    "hears through a constant offset, and does not take the offset for sound",
    (lab) => lab.write("offset.wav", wav(PCM, 2, RATE, 16, s16(3, (t) => 0.3 + beep(1, 2)(t)).subarray(0, 64_000))),
    0,
    1
  )

  hears(
    "hears sound that is clipped at 20 dB too much",
    (lab) => lab.write("clipped.wav", wav(PCM, 1, RATE, 16, s16(1.5, (t) => 10 * beep(0.5, 1)(t)))),
    0.5,
    1
  )

  it.effect("hears around samples that are no numbers", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const data = Buffer.alloc(4 * 2 * RATE)
      for (let n = 0; n < 2 * RATE; n++) {
        const bad = n >= 0.2 * RATE && n < 0.25 * RATE
        data.writeFloatLE(bad ? [NaN, Infinity, -Infinity][n % 3]! : beep(0.5, 1)(n / RATE), 4 * n)
      }
      const { pcm } = yield* lab.run(yield* lab.write("nan.wav", wav(FLOAT, 1, RATE, 32, data)))
      assert.deepStrictEqual([peak(pcm, 0, 0.19), peak(pcm, 0.26, 0.49), peak(pcm, 1.01, 2)], [0, 0, 0])
      assert.isAbove(peak(pcm, 0.5, 1), 0.25)
    }))

  for (const [what, claimed] of [["0", 0], ["0xffffffff", 0xffff_ffff]] as const) {
    hears(
      `hears a recording that was streamed, whose header says ${what} bytes`,
      (lab) => lab.write(`streamed-${what}.wav`, wav(PCM, 1, RATE, 16, s16(1.5, beep(0.5, 1)), claimed)),
      0.5,
      1
    )
  }

  hears(
    "hears a file whatever its name says",
    (lab) =>
      lab.make("really.flac", [...lavfi([tone(0.5, 1)], 1.5, "mono"), ...flags("-c:a flac -f flac NAME")]).pipe(
        Effect.andThen((file) => lab.write("not-a-video.mp4", readFileSync(file)))
      ),
    0.5,
    1,
    { audio: "flac" }
  )

  hears("hears the first of several tracks", (lab) => tracks(lab, "tracks.mkv", "-disposition:a:0 default"), 0.2, 0.4)
  hears(
    "hears the track that is marked as default",
    (lab) => tracks(lab, "default.mkv", "-disposition:a:0 0 -disposition:a:1 default"),
    0.5,
    1
  )
  hears(
    "hears the next track where the first is silent, and says so",
    (lab) =>
      lab.make("silent-first.mkv", [
        ...lavfi([quiet], 1.5, "stereo"),
        ...lavfi([tone(0.5, 1)], 1.5, "mono"),
        ...flags("-map 0:a -map 1:a -c:a flac NAME")
      ]),
    0.5,
    1,
    { codes: ["AUDIO_TRACK_CHOSEN"] }
  )

  /** `goes on`: the decoder finds its way back behind damage, whatever its version. `tells`: and knows of it. */
  const encoders: ReadonlyArray<readonly [name: string, ...ReadonlyArray<string>]> = [
    ["cut.mp3", "libmp3lame", "goes on", "tells"],
    ["cut.ogg", "libvorbis", "tells"],
    ["cut.opus", "libopus", "tells"],
    ["cut.flac", "flac", "goes on", "tells"],
    ["cut.wma", "wmav2", "goes on"],
    ["cut.aac", "aac", "tells"],
    ["cut.wav", "pcm_s16le", "goes on"]
  ]
  for (const [name, codec, ...rest] of breadth(encoders)) {
    const format = name.endsWith("wma") ? ["-f", "asf"] : []
    it.effect(`reads what is left of a ${codec} file that was cut off`, () =>
      Effect.gen(function*() {
        const lab = yield* MediaLab
        const file = yield* lab.make(name, [
          ...lavfi([`${tone(0.2, 0.5)}+${tone(2, 5.5)}`], 6, "mono"),
          "-c:a",
          codec!,
          ...format,
          "NAME"
        ])
        const whole = readFileSync(file)
        const { pcm } = yield* lab.run(yield* lab.write(`half-${name}`, whole.subarray(0, whole.length * 0.6)))
        const [from, to] = heardFrom(pcm)
        assert.approximately(from, 0.2, 0.06)
        assert.isAbove(to, 2.3)
        assert.isBelow(to, 5.4)
      }))

    const goesOn = rest.includes("goes on")
    const tells = rest.includes("tells")
    const sides = goesOn ? "both sides of" : "what is before"
    it.effect(`hears ${sides} damage in the middle of a ${codec} file${tells ? ", and says so" : ""}`, () =>
      Effect.gen(function*() {
        const lab = yield* MediaLab
        const bytes = readFileSync(
          yield* lab.make(`hurt-${name}`, [
            ...lavfi([`${tone(0.2, 0.5)}+${tone(5, 5.5)}+0.01*random(0)`], 6, "mono"),
            "-c:a",
            codec!,
            ...format,
            "NAME"
          ])
        )
        let state = 1
        const middle = Math.floor(bytes.length / 2)
        for (let i = middle; i < middle + Math.min(3000, bytes.length / 8); i++) {
          state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
          bytes[i] = state >>> 24
        }
        const { codes, pcm } = yield* lab.run(yield* lab.write(`damaged-${name}`, bytes))
        assert.isAbove(peak(pcm, 0.2, 0.5), 0.1)
        if (goesOn) assert.isAbove(peak(pcm, 5.05, 5.45), 0.1)
        assert.strictEqual(codes.includes("AUDIO_DAMAGED"), tells)
      }))
  }

  for (const milliseconds of [10, 100]) {
    it.effect(`takes ${milliseconds} ms for what they are`, () =>
      Effect.gen(function*() {
        const lab = yield* MediaLab
        const data = s16(milliseconds / 1000, beep(0, 1))
        const { codes, pcm } = yield* lab.run(yield* lab.write(`${milliseconds}ms.wav`, wav(PCM, 1, RATE, 16, data)))
        assert.deepStrictEqual(codes, [])
        assert.approximately(pcm.length / RATE, milliseconds / 1000, 0.002)
      }))
  }

  for (const [what, channels] of [["mono", 1], ["stereo", 2]] as const) {
    it.effect(`keeps digital silence in ${what} as silence of the same length`, () =>
      Effect.gen(function*() {
        const lab = yield* MediaLab
        const { codes, pcm } = yield* lab.run(
          yield* lab.write(`zero-${what}.wav`, wav(PCM, channels, RATE, 16, Buffer.alloc(2 * channels * 2 * RATE)))
        )
        assert.deepStrictEqual([codes, pcm.length, peak(pcm, 0, 2)], [[], 2 * RATE, 0])
      }))
  }

  it.effect("refuses a file without a byte, a header without sound, and noise in a sound file's clothes", () =>
    Effect.gen(function*() {
      const lab = yield* MediaLab
      const cases = [
        ["nothing.wav", Buffer.alloc(0), "SOURCE_NOT_MEDIA"],
        ["header.wav", wav(PCM, 1, RATE, 16, Buffer.alloc(0)), "SOURCE_CORRUPT"],
        ["header.flac", Buffer.concat([Buffer.from("fLaC\0\0\0\x22"), Buffer.alloc(34)]), "SOURCE_CORRUPT"],
        ["rates.wav", wav(PCM, 0, 0, 16, Buffer.alloc(64)), "SOURCE_CORRUPT"],
        ["short.mp3", Buffer.from("ID3\x03\0\0\0\0\0\0"), "SOURCE_CORRUPT"]
      ] as const
      for (const [name, bytes, code] of cases) {
        const source = yield* lab.store(yield* lab.write(name, bytes))
        const failure = yield* Effect.flip(lab.stages.probe({ ...lab.task("probe"), input: { source } }))
        assert.deepStrictEqual([name, failure.code, failure.retryable], [name, code, false])
      }
    }))
})
