import { Effect, Schema } from "effect"
import { JobTranscript } from "../artifacts/ArtifactViews.ts"
import { toLines } from "../artifacts/Subtitles.ts"
import { type TimeRange, transcriptWithin, withoutWords } from "../artifacts/TimeRange.ts"
import type { Transcript } from "../artifacts/Transcript.ts"
import { transcriptFormats } from "../artifacts/TranscriptFormat.ts"
import type { Artifacts } from "../results/Artifacts.ts"
import { cutFields, inOrder, PartOf, partOf, tokensOf } from "./AnswerPart.ts"
import { byJob } from "./JobTools.ts"
import { transcriptLink } from "./ResourceLinks.ts"
import { reads, tool } from "./Tool.ts"

/** Said by every tool that reads what only a succeeded job has. */
export const onlySucceeded = " Only a succeeded job has it: JOB_NOT_SUCCEEDED otherwise."

const asText = ["lines", "txt", "srt", "vtt"] as const

const TranscriptInput = Schema.Struct({
  ...byJob.fields,
  ...PartOf.fields,
  words: Schema.optionalKey(
    Schema.Boolean.annotate({
      description:
        "true: segments with every word and its seconds. false: segments without them, in about a third of the size."
    })
  ),
  format: Schema.optionalKey(
    Schema.Literals(["json", ...asText]).annotate({
      description:
        "`json`: segments. `lines`: a line for each turn, with its second and who speaks. `txt`: the same without seconds. "
        + "`srt`, `vtt`: subtitles."
    })
  )
}).check(inOrder)

const toldFields = {
  left_out: Schema.optionalKey(
    Schema.Literals(["words", "segments"]).annotate({
      description:
        "Not there, as the answer would have been too long with it: ask for it by words or format, in a range."
    })
  ),
  ...cutFields
}

/** A transcript as a text; `content` is the file. */
const WrittenTranscript = Schema.Struct({
  job_id: Schema.String,
  format: Schema.Literals(asText),
  content: Schema.String,
  ...toldFields
})

/** What a transcript can be answered as. */
interface Form {
  readonly read: (transcript: Transcript, job_id: string) => typeof JobTranscript.Type | typeof WrittenTranscript.Type
  readonly prose: boolean
  readonly left_out?: "words" | "segments"
}

const withWords: Form = { read: (transcript, job_id) => ({ ...transcript, job_id }), prose: false }
const ofSegments: Form = { read: (transcript, job_id) => ({ ...withoutWords(transcript), job_id }), prose: false }

const written = (format: typeof asText[number]): Form => ({
  read: (transcript, job_id) => ({
    job_id,
    format,
    content: format === "lines" ? toLines(transcript) : transcriptFormats[format].render(transcript, job_id)
  }),
  prose: format === "lines" || format === "txt"
})

interface Asked {
  readonly format?: "json" | typeof asText[number]
  readonly words?: boolean
  readonly max_tokens?: number
}

/** What is asked for; where only a size is, the fullest of these that has room, and whatever was said has room in the last. */
const formsFor = ({ format, max_tokens, words }: Asked): ReadonlyArray<Form> =>
  format !== undefined && format !== "json"
    ? [written(format)]
    : format === "json" || words !== undefined || max_tokens === undefined
    ? [words === false ? ofSegments : withWords]
    : [
      withWords,
      { ...ofSegments, left_out: "words" } satisfies Form,
      { ...written("lines"), left_out: "segments" } satisfies Form
    ]

/** get_transcript. */
export const transcriptTool = (artifacts: Artifacts["Service"]) =>
  tool("get_transcript", {
    title: "Read the transcript",
    description:
      "Everything that was said: segments and words with their seconds, and who spoke. In full it takes about 5,000 tokens for a "
      + "minute of speech, so from a few minutes on say max_tokens: nothing said is "
      + "left out then, but a shorter form is chosen that has room, which `left_out` tells, at last `lines` (200 tokens a minute; "
      + "two hours fit). Or ask for a format, or a range; get_evidence has the quotes behind the result already. "
      + "Silence gives `audio_branch: absent` and no segments." + onlySucceeded,
    hints: reads,
    long: true,
    input: TranscriptInput,
    output: Schema.Union([Schema.Struct({ ...JobTranscript.fields, ...toldFields }), WrittenTranscript]),
    run: Effect.fnUntraced(function*({ format, job_id, words, ...part }) {
      const { value } = yield* artifacts.transcript(job_id)
      const { max_tokens = Number.POSITIVE_INFINITY, ...range } = part
      const reader = ({ read }: Form) => (range: TimeRange) => read(transcriptWithin(value, range), job_id)
      const forms = formsFor({
        ...(format && { format }),
        ...(words === undefined ? {} : { words }),
        ...(part.max_tokens === undefined ? {} : { max_tokens })
      })
      const form = forms.find((form) => tokensOf(reader(form)(range), form.prose) <= max_tokens) ?? forms.at(-1)!
      const { left_out } = form
      return {
        ...partOf(part, {
          moments: value.segments.map(({ t_start }) => t_start),
          read: reader(form),
          tokens: (answer) => tokensOf(answer, form.prose)
        }),
        ...(left_out === undefined ? {} : { left_out })
      }
    }),
    links: ({ job_id }) => [transcriptLink(job_id)]
  })
