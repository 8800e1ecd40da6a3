import { assert, describe, it } from "@effect/vitest"
import { fileURLToPath } from "node:url"
import { findPocketSphinx, pocketSphinx } from "../../../bench/speech/PocketSphinx.ts"
import { makeReader } from "../../../bench/speech/Recordings.ts"

const program = findPocketSphinx()
if (program === undefined) {
  process.stdout.write("pocketsphinx is not tried: it is not installed (Debian: pocketsphinx)\n")
}

describe("PocketSphinx", () => {
  it.skipIf(program === undefined)(
    "hears words with their times in every clip of one run, and none in silence",
    async () => {
      const read = await makeReader()
      const lecture = await read(fileURLToPath(new URL("../../../samples/lecture.mp4", import.meta.url)))
      // "Hello and welcome to this short lecture. My name is Mary Brown."
      const { seconds, words } = await pocketSphinx(program!, [lecture.slice(0, 6 * 16_000), new Float32Array(16_000)])
      const [said, silence] = words
      assert.includeMembers(said!.map(({ text }) => text), ["welcome", "name"])
      let before = 0
      for (const { t_end, t_start, text } of said!) {
        assert.match(text, /^[a-z'.-]+$/u)
        assert.isAtLeast(t_start, before)
        assert.isAbove(t_end, t_start)
        before = t_end
      }
      assert.isAtMost(before, 6.01)
      assert.deepStrictEqual(silence, [])
      assert.isAbove(seconds, 0)
    },
    120_000
  )
})
