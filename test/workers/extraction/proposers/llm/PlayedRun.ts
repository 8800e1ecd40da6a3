import { expect } from "vitest"
import { resultValidator } from "../../../../../src/schemas/json-schema/ResultValidator.ts"
import { extractBy } from "../../../../../workers/extraction/Extract.ts"
import { makeLlmClient } from "../../../../../workers/extraction/proposers/llm/LlmClient.ts"
import type { LlmEndpoint } from "../../../../../workers/extraction/proposers/llm/LlmEndpoint.ts"
import { makeLlmProposer } from "../../../../../workers/extraction/proposers/llm/LlmProposer.ts"
import { type Footage, inputOf } from "../../Footage.ts"
import { expectSound } from "../../Soundness.ts"
import { KEY, lineOf, type PlayedModel, playModel } from "./ModelServer.ts"

export const text = { type: "string" } as const
/** What is wanted of the meeting. */
export const minutes = {
  type: "object",
  properties: {
    project: { ...text, description: "Name of the project" },
    migration_done: { type: "boolean", description: "Whether the migration has finished" },
    next_day: { ...text, description: "Day of the next meeting" },
    actions: {
      type: "array",
      description: "What was promised",
      items: { type: "object", properties: { task: text, owner: text, speaker: text, t_start: { type: "number" } } }
    }
  }
}

/** Runs an extraction against a played model; waits between attempts are noted and not waited for. */
export const run = async (
  model: PlayedModel,
  schema: object,
  source: Footage,
  more: Partial<LlmEndpoint> = {},
  signal = new AbortController().signal
) => {
  await using server = await playModel(model)
  const endpoint = server.endpoint(more)
  const waits: Array<number> = []
  await using client = makeLlmClient(endpoint, { wait: async (milliseconds) => void waits.push(milliseconds) })
  const out = await extractBy(makeLlmProposer(endpoint, client), inputOf(schema, source), signal)
  expect(resultValidator(schema as never)(out.result)).toBeUndefined()
  expectSound(out, source, schema)
  expect(JSON.stringify(out)).not.toContain(KEY)
  return { out, server: server, waits, codes: out.warnings.map(({ code }) => code) }
}

/** One that reads the minutes as they are. */
export const goodMinutes: PlayedModel = (call) => ({
  say: [
    { path: "/project", value: "Atlas", quote: "this is the Atlas weekly", refs: lineOf(call, "Atlas") },
    {
      path: "/migration_done",
      value: true,
      quote: "The migration finished on Friday",
      refs: lineOf(call, "migration")
    },
    {
      path: "/next_day",
      value: "Tuesday the 11th of June",
      quote: "The next meeting is Tuesday the 11th of June at ten.",
      refs: lineOf(call, "next meeting")
    },
    {
      path: "/actions/*/task",
      item: "report",
      value: "write the report for the outage",
      quote: "I'll write the report for the outage by Friday.",
      refs: lineOf(call, "report")
    },
    {
      path: "/actions/*/task",
      item: "resize",
      value: "resize the staging cluster",
      quote: "can you resize the staging cluster",
      refs: lineOf(call, "resize")
    },
    {
      path: "/actions/*/owner",
      item: "resize",
      value: "Tom",
      quote: "Tom, can you resize",
      refs: lineOf(call, "resize")
    }
  ]
})
