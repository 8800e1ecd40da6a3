import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { footage } from "../../Footage.ts"
import { lineOf, type PlayedModel } from "./ModelServer.ts"
import { run } from "./PlayedRun.ts"

const truth: {
  readonly duration_seconds: number
  readonly turns: ReadonlyArray<{ readonly speaker: string; readonly t_start: number; readonly text: string }>
  readonly slides: ReadonlyArray<{ readonly t_start: number; readonly lines: ReadonlyArray<string> }>
} = JSON.parse(
  readFileSync(fileURLToPath(new URL("../../../../../samples/product-demo.truth.json", import.meta.url)), "utf8")
)

/** The sample as it is said and shown, each slide at the sample of half a second that follows its beginning. */
const demo = footage(
  truth.turns.map(({ speaker, t_start, text }) => [t_start, speaker, text] as const),
  truth.slides.map(({ lines, t_start }) => [Math.ceil(t_start * 2) / 2, lines] as const),
  Math.ceil(truth.duration_seconds)
)

const text = { type: "string" }
/** What somebody would ask of it: names, numbers, a list, and six that have to be understood. */
const schema = {
  type: "object",
  properties: {
    product: { ...text, description: "Name of the product" },
    vendor: { ...text, description: "Company that makes it" },
    trial_days: { type: "integer", description: "Length of the free trial in days" },
    cheapest_monthly_price: { type: "number", description: "Price of the cheapest plan per month" },
    plans: { type: "array", description: "Plans that are offered", items: text },
    sentiment: {
      type: "string",
      enum: ["positive", "neutral", "negative"],
      description: "How the speakers talk of it"
    },
    has_free_trial: { type: "boolean", description: "Whether it can be tried for nothing" },
    platform: { type: "string", enum: ["mobile app", "desktop", "web"], description: "What it runs on" },
    target_audience: { ...text, description: "Who it is for, in a few words" },
    one_sentence_summary: { ...text, description: "Summary of the video in one sentence" },
    annual_cost_of_family_plan: { type: "number", description: "Cost of the family plan over a year" }
  }
}
const right = {
  product: "Garden Helper",
  vendor: "Green Hill Software",
  trial_days: 30,
  cheapest_monthly_price: 4,
  plans: ["Home plan", "Family plan"],
  sentiment: "positive",
  has_free_trial: true,
  platform: "mobile app",
  target_audience: "people who grow plants in a garden",
  one_sentence_summary:
    "Garden Helper reminds you to water each plant, names it from a photo, and warns you before a cold night.",
  annual_cost_of_family_plan: 84
}

/** One that is right in all of it and quotes true lines. */
const knows: PlayedModel = (call) => {
  const at = (words: string, ...more: ReadonlyArray<string>) => ({
    quote: words,
    refs: [words, ...more].flatMap((some) => lineOf(call, some))
  })
  const family = "The family plan costs seven dollars per month."
  return {
    say: [
      { path: "/product", value: right.product, ...at("It is called Garden Helper.") },
      { path: "/vendor", value: right.vendor, ...at("Garden Helper is made by Green Hill Software.") },
      { path: "/trial_days", value: 30, ...at("The first thirty days are free.") },
      { path: "/cheapest_monthly_price", value: 4, ...at("The home plan costs four dollars per month.") },
      { path: "/plans/*", item: "home", value: "Home plan", ...at("Home plan") },
      { path: "/plans/*", item: "family", value: "Family plan", ...at("Family plan") },
      { path: "/sentiment", value: "positive", ...at("I like the weather alerts best.") },
      { path: "/has_free_trial", value: true, ...at("The first thirty days are free.") },
      { path: "/platform", value: "mobile app", ...at("You take a photo of a leaf.") },
      { path: "/target_audience", value: right.target_audience, ...at("The app knows each plant in your garden.") },
      {
        path: "/one_sentence_summary",
        value: right.one_sentence_summary,
        ...at(
          "You get a message when a plant needs water.",
          "You take a photo",
          "before a cold night",
          "It is called Garden"
        )
      },
      { path: "/annual_cost_of_family_plan", value: 84, formula: "7 * 12", ...at(family) }
    ]
  }
}

/** One that leaves the vendor out and has the sum wrong. */
const wrong: PlayedModel = (call) => ({
  say: (knows(call) as Extract<ReturnType<PlayedModel>, { say: unknown }>).say
    .filter(({ path }) => path !== "/vendor")
    .map((one) => one.path === "/annual_cost_of_family_plan" ? Object.assign({}, one, { value: 91 }) : one)
})

describe("an ordinary job of eleven fields", () => {
  it("has all eleven right behind a model that is right, each with its kind of proof, and none of a guess", async () => {
    const { codes, out } = await run(knows, schema, demo)
    expect([out.result, codes]).toEqual([right, []])
    expect(new Set(out.evidence.spans.map(({ proposed_by }) => proposed_by))).toEqual(new Set(["llm:played-model"]))
    const grades = new Map(out.evidence.spans.map(({ grade, pointer }) => [pointer, grade]))
    expect(["/product", "/sentiment", "/has_free_trial", "/one_sentence_summary", "/annual_cost_of_family_plan"]
      .map((pointer) => grades.get(pointer))).toEqual(["stated", "classified", "classified", "generated", "computed"])
  })

  it("stays open where the model leaves a field out or has it wrong, and no rule guesses in its place", async () => {
    const { out } = await run(wrong, schema, demo)
    const { annual_cost_of_family_plan: _, vendor: __, ...others } = right
    expect(out.result).toEqual(others)
    expect(out.evidence.unfilled.map(({ pointer, reason }) => [pointer, reason])).toEqual(
      expect.arrayContaining([["/annual_cost_of_family_plan", "refused"], ["/vendor", "not_found"]])
    )
  })
})
