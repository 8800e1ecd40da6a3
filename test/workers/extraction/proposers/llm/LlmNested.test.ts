import { describe, expect, it } from "vitest"
import { footage } from "../../Footage.ts"
import { lineOf, type PlayedModel } from "./ModelServer.ts"
import { run, text } from "./PlayedRun.ts"

const names = { type: "array", items: { type: "object", properties: { name: text, role: text } } }
const schema = {
  type: "object",
  properties: {
    teams: { type: "array", items: { type: "object", properties: { team: text, members: names, tools: names } } }
  }
}
const source = footage([
  [0, "S1", "The red team is Ada Holt, who draws, and Ben Marsh."],
  [10, "S1", "The blue team is Cara Finch, who drives."]
])
const reader: PlayedModel = (call) => {
  const say = (words: string, item: string, path: string, value: string) => ({
    path: `/teams/*/${path}`,
    item,
    value,
    quote: words,
    refs: lineOf(call, words)
  })
  return {
    say: [
      say("The red team", "red", "team", "red"),
      say("Ada Holt, who draws", "red/Ada Holt", "members/*/name", "Ada Holt"),
      say("Ben Marsh", "red/Ben Marsh", "members/*/name", "Ben Marsh"),
      say("The blue team", "blue", "team", "blue"),
      say("Cara Finch", "blue/Cara Finch", "members/*/name", "Cara Finch")
    ]
  }
}

const reasons = async (model: PlayedModel) => {
  const { out } = await run(model, schema, source)
  return new Map(out.evidence.unfilled.map(({ pointer, reason }) => [pointer, reason]))
}

describe("arrays inside the entries of an array", () => {
  it("are filled by a model, each entry in the one that it belongs to", async () => {
    const { out } = await run(reader, schema, source)
    expect(out.result).toMatchObject({
      teams: [
        { team: "red", members: [{ name: "Ada Holt" }, { name: "Ben Marsh" }] },
        { team: "blue", members: [{ name: "Cara Finch" }] }
      ]
    })
  })

  it("are not found where a model looked for them, and unsupported where only rules did", async () => {
    const asked = await reasons(reader)
    expect([asked.get("/teams/0/tools"), asked.get("/teams/0/members/0/role")]).toEqual(["not_found", "not_found"])
    expect([...asked.values()]).not.toContain("unsupported")
    expect([...(await reasons(() => ({ status: 401 }))).values()]).not.toContain("not_stated")
  })
})
