import { assert, describe, it } from "@effect/vitest"
import { makeSounds } from "../../../../bench/speech/MadeSounds.ts"
import { mixtures } from "../../../../bench/speech/Mixtures.ts"
import { openVad } from "../../../../workers/speech/vad/Vad.ts"
import { decode, fileBeside, pcmOf, samplesOf } from "../Sounds.ts"

const vad = await openVad()
const lecture = fileBeside("samples/lecture.mp4")

const trumpet = fileBeside("../shared/assets/audio/dev/nonspeech/sorohanro_-_solo-trumpet-06.ogg")
const meeting = fileBeside("../shared/assets/audio/dev/ami-mini/dev01.flac")
const recorded = [
  "sorohanro_-_solo-trumpet-06.ogg",
  "glacier-bay-humpback.ogg",
  "147793__setuniman__sweet-waltz-0i-22mi.ogg",
  "Kevin_MacLeod_-_Vibe_Ace.ogg",
  "456440__inspectorj__bird-whistling-robin-single-13.ogg"
]

const length = (list: ReadonlyArray<{ readonly t_start: number; readonly t_end: number }>) =>
  list.reduce((sum, { t_end, t_start }) => sum + t_end - t_start, 0)

describe("Vad, over many sounds", () => {
  it("hears no speech in machines, music, animals, weather and vowels that nobody says", async () => {
    const heard: Array<string> = []
    for (const { name, samples } of makeSounds(4, 5, [-3])) {
      if ((await vad.detect(pcmOf(samples))).intervals.length > 0) heard.push(name)
    }
    assert.deepStrictEqual(heard, [])
  })

  it.skipIf(trumpet === null)("takes less than a hundredth of recorded music and animals for speech", async () => {
    let [taken, seconds] = [0, 0]
    for (const name of recorded) {
      const pcm = pcmOf(samplesOf(await decode(fileBeside(`../shared/assets/audio/dev/nonspeech/${name}`)!)))
      taken += length((await vad.detect(pcm)).intervals)
      seconds += pcm.seconds
    }
    assert.isBelow(taken, 0.01 * seconds)
  })

  it.skipIf(meeting === null)(
    "gives up nothing of what the detector finds in meetings, far from the microphone",
    async () => {
      for (const name of ["dev00", "dev01", "trn00", "trn01", "trn02", "trn03", "trn04"]) {
        const file = fileBeside(`../shared/assets/audio/dev/ami-mini/${name}.flac`)
        if (file === null) continue
        const pcm = pcmOf(samplesOf(await decode(file)))
        const all = await vad.detect(pcm, undefined, { least_likeness: 0 })
        assert.deepStrictEqual([name, await vad.detect(pcm)], [name, all])
      }
    }
  )

  it.skipIf(lecture === null)("still hears what is quiet, or spoken over noise or music", async () => {
    const speech = samplesOf(await decode(lecture!)).subarray(0, 20 * 16_000)
    const music = makeSounds(10, 1, [-3]).find(({ name }) => name.startsWith("piano"))!.samples
    const plain = length((await vad.detect(pcmOf(speech))).intervals)
    for (const [name, mixed] of Object.entries(mixtures(speech, music))) {
      assert.isAbove(length((await vad.detect(pcmOf(mixed))).intervals), 0.85 * plain, name)
    }
  })
})
