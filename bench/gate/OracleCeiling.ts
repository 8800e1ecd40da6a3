import type { Evidence } from "../../src/artifacts/Evidence.ts"
import type { Warning } from "../../src/jobs/model/StageIo.ts"
import { extractBy } from "../../workers/extraction/Extract.ts"
import type { LlmClient } from "../../workers/extraction/proposers/llm/LlmClient.ts"
import type { ChatAnswer, ChatRequest } from "../../workers/extraction/proposers/llm/LlmDialect.ts"
import type { LlmEndpoint } from "../../workers/extraction/proposers/llm/LlmEndpoint.ts"
import { makeLlmProposer } from "../../workers/extraction/proposers/llm/LlmProposer.ts"
import { leavesOf } from "../../workers/extraction/text/InstanceLeaves.ts"
import { videoArtifacts } from "../extraction/ExtractionData.ts"
import type { FootageRecord } from "../extraction/FootageRecord.ts"
import { footageScore, scoreRecord } from "../extraction/FootageScore.ts"
import { textInput } from "../extraction/TextInput.ts"
import { manners, spoken } from "./Manners.ts"
import { oracle } from "./Oracle.ts"

const endpoint: LlmEndpoint = {
  url: "http://127.0.0.1/v1",
  model: "oracle",
  key: null,
  timeout_seconds: 9,
  concurrency: 4,
  chunk_tokens: 12_000,
  most_tokens: 500_000,
  input_price: 0,
  output_price: 0,
  fallback: "builtin"
}

interface Played {
  readonly result: unknown
  readonly evidence: Evidence
  readonly warnings: ReadonlyArray<Warning>
  readonly calls: number
}

/** One video through the real proposer and gate, the model's answers given by `answer`. */
const play = async (
  record: FootageRecord,
  answer: (prompt: string, asked: ChatRequest) => ChatAnswer
): Promise<Played> => {
  let calls = 0
  const client: Pick<LlmClient, "ask"> = {
    ask: async (asked) => {
      calls++
      return answer(asked.messages.at(-1)!.content, asked)
    }
  }
  const { evidence, result, warnings } = await extractBy(
    makeLlmProposer(endpoint, client),
    textInput(videoArtifacts(record), record.schema, "strict"),
    new AbortController().signal
  )
  return { result, evidence, warnings, calls }
}

const three = (value: number): number => Math.round(value * 1000) / 1000

const valueAt = (value: unknown, pointer: string): unknown =>
  Array.from(leavesOf(value)).find((leaf) => leaf.pointer === pointer)?.value

/** Of the leaves of a sort that the right result has, the share that came through right. */
const shareOf = (
  records: ReadonlyArray<FootageRecord>,
  right: ReadonlyArray<ReadonlySet<string>>,
  sort: (record: FootageRecord, pointer: string) => boolean
): number | null => {
  const all = records.flatMap((record, at) =>
    Array.from(leavesOf(record.gold)).filter(({ pointer }) => sort(record, pointer)).map(({ pointer }) =>
      right[at]!.has(pointer)
    )
  )
  return all.length === 0 ? null : three(all.filter(Boolean).length / all.length)
}

const isBoolean = (record: FootageRecord, pointer: string): boolean =>
  typeof valueAt(record.gold, pointer) === "boolean"

/** How much of what a model knows comes through, by its manner of speaking. */
export const oracleCeiling = async (
  records: ReadonlyArray<FootageRecord>,
  names: ReadonlyArray<string> = Object.keys(manners)
) => {
  const out: Record<string, ReturnType<typeof figuresOf>> = {}
  for (const name of names) {
    const played: Array<Played> = []
    for (const record of records) {
      const say = oracle(record)
      played.push(await play(record, (prompt) => spoken(manners[name]!, say(prompt), prompt)))
    }
    out[name] = figuresOf(records, played)
  }
  return out
}

const figuresOf = (records: ReadonlyArray<FootageRecord>, played: ReadonlyArray<Played>) => {
  const scores = records.map((record, at) =>
    scoreRecord(record, { result: played[at]!.result, spans: played[at]!.evidence.spans })
  )
  const right = scores.map(({ given }) => new Set(given.flatMap(({ gold, right }) => right ? gold ?? [] : [])))
  const { by_kind, f1, precision, recall } = footageScore(records, scores)
  return {
    precision,
    recall,
    f1,
    booleans: shareOf(records, right, isBoolean),
    enums: shareOf(
      records,
      right,
      (record, pointer) => record.kinds[pointer] === "classified" && !isBoolean(record, pointer)
    ),
    by_kind: Object.fromEntries(Object.entries(by_kind).map(([kind, one]) => [kind, one.recall])),
    calls: three(played.reduce((sum, one) => sum + one.calls, 0) / played.length),
    missed: records.flatMap((record, at) =>
      Array.from(leavesOf(record.gold)).filter(({ pointer }) => !right[at]!.has(pointer)).map(({ pointer, value }) => ({
        id: record.id,
        pointer,
        kind: record.kinds[pointer],
        value,
        got: valueAt(played[at]!.result, pointer)
      }))
    )
  }
}
