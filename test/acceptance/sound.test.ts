import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { findMediaTools } from "../../workers/media/ffmpeg/Ffmpeg.ts"
import { flags } from "../../workers/media/ffmpeg/InputArguments.ts"
import { deployment, finished, submit } from "../support/Deployment.ts"

const sample = fileURLToPath(new URL("../../samples/lecture.mp4", import.meta.url))

interface Transcript {
  readonly audio_branch: string
  readonly text: string
  readonly segments: ReadonlyArray<{ readonly words: ReadonlyArray<{ readonly t_start: number }> }>
}

describe("POST /v1/jobs with sound that is out of the ordinary", () => {
  it.live(
    "ends in the right transcript or with the right code: spoken after long silence, channels turned over, silent, cut, "
      + "empty, and longer than SOURCE_MAX_SECONDS",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const { client, folder } = yield* deployment({ env: { SOURCE_MAX_SECONDS: "200" } })
        const { ffmpeg } = yield* findMediaTools
        const make = (name: string, args: ReadonlyArray<string>) => {
          const file = join(folder, name)
          const { status, stderr } = spawnSync(ffmpeg, ["-v", "error", "-y", ...args, file], { encoding: "utf8" })
          assert.strictEqual(status, 0, stderr)
          return file
        }
        const write = (name: string, bytes: Uint8Array) => {
          writeFileSync(join(folder, name), bytes)
          return join(folder, name)
        }
        const spoken = make("spoken.wav", ["-t", "15", "-i", sample, ...flags("-vn -ac 1 -ar 16000 -c:a pcm_s16le")])
        const late = make("late.flac", ["-i", spoken, ...flags("-af adelay=150000 -c:a flac")])
        const opposite = make("opposite.flac", ["-i", spoken, ...flags("-af pan=stereo|c0=c0|c1=-1*c0 -c:a flac")])
        const silent = make("silent.wav", flags("-f lavfi -i anullsrc=r=8000:cl=stereo -t 5 -c:a pcm_mulaw"))
        const long = make("long.flac", flags("-f lavfi -i anullsrc=r=8000:cl=mono -t 300 -c:a flac"))
        const whole = readFileSync(make("whole.mp3", ["-i", spoken, ...flags("-c:a libmp3lame")]))
        const cut = write("cut.mp3", whole.subarray(0, whole.length * 0.7))

        const job = Effect.fnUntraced(function*(file: string) {
          const done = yield* finished(client, (yield* submit(client, file, {})).id)
          const transcript = done.status === "succeeded"
            ? (yield* Effect.orDie(client.json(`/v1/jobs/${done.id}/transcript`))) as unknown as Transcript
            : undefined
          const words = transcript?.segments.flatMap(({ words }) => words) ?? []
          const { warnings } = done.record as { readonly warnings?: ReadonlyArray<{ readonly code: string }> }
          return { done, words, text: transcript?.text ?? "", codes: (warnings ?? []).map(({ code }) => code) }
        })
        const plain = yield* job(spoken)
        assert.isAbove(plain.words.length, 10, JSON.stringify(plain.done.error))

        const after = yield* job(late)
        assert.approximately(after.words[0]!.t_start, plain.words[0]!.t_start + 150, 0.3)

        const turned = yield* job(opposite)
        assert.include(turned.codes, "AUDIO_CHANNEL_CHOSEN")
        assert.strictEqual(turned.text, plain.text)

        const nothing = yield* job(silent)
        assert.deepStrictEqual([nothing.done.status, nothing.words], ["succeeded", []])

        const part = yield* job(cut)
        assert.strictEqual(part.done.status, "succeeded", JSON.stringify(part.done.error))
        assert.isAbove(part.words.length, 5)
        assert.isBelow(part.words.length, plain.words.length)

        const header = yield* job(write("header.wav", readFileSync(spoken).subarray(0, 44)))
        assert.deepStrictEqual([header.done.status, header.done.error?.code], ["failed", "SOURCE_CORRUPT"])

        const refused = yield* job(long)
        assert.deepStrictEqual([refused.done.status, refused.done.error?.code], ["failed", "SOURCE_TOO_LONG"])
      })),
    900_000
  )
})
