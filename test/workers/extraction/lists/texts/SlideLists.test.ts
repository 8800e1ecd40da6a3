import { describe, expect, it } from "vitest"
import { extract } from "../../../../../workers/extraction/Extract.ts"
import { footage, inputOf, type Shown } from "../../Footage.ts"

const texts = { type: "array", items: { type: "string" } }

const listsOf = (names: ReadonlyArray<string>, ...pictures: ReadonlyArray<ReadonlyArray<string>>): unknown => {
  const schema = { type: "object", properties: Object.fromEntries(names.map((name) => [name, texts])) }
  const shown = pictures.map((lines, at): Shown => [10 * at, lines])
  return extract(inputOf(schema, footage([], shown), { precision: "balanced" })).result
}

describe("lines under a heading", () => {
  it.each([
    [
      ["home_team", "away_team"],
      [["Home team", "Ana Lopez", "Tom Reed"], ["Away team", "Li Wei", "Joe King"]],
      { home_team: ["Ana Lopez", "Tom Reed"], away_team: ["Li Wei", "Joe King"] }
    ],
    [
      ["included"],
      [["Included", "Breakfast", "Towels"], ["Not included", "Parking", "Flights"]],
      { included: ["Breakfast", "Towels"] }
    ],
    [
      ["members"],
      [["Former members", "Ana Lopez", "Tom Reed"], ["Members", "Li Wei", "Joe King"]],
      { members: ["Li Wei", "Joe King"] }
    ],
    [
      ["morning_sessions", "afternoon_sessions"],
      [["Morning sessions", "Dosing", "Wound care"], ["Afternoon sessions", "Suturing", "Triage"]],
      { morning_sessions: ["Dosing", "Wound care"], afternoon_sessions: ["Suturing", "Triage"] }
    ],
    [
      ["extras"],
      [["Extras", "Legal expenses   included", "Bicycles   + £48.00", "Total per year £438.60"]],
      { extras: ["Legal expenses", "Bicycles"] }
    ],
    [["start_dates"], [["Next start dates", "8 June", "22 June"]], { start_dates: ["8 June", "22 June"] }],
    [["members"], [["Next member", "Ana Lopez", "Tom Reed"]], {}],
    [["special_diets"], [["Special diets? Just ask", "Gluten free", "Vegan"]], {
      special_diets: ["Gluten free", "Vegan"]
    }],
    [
      ["new_features", "removed_features"],
      [["New", "Frost alerts", "Seed stock"], ["Removed", "Old export", "Print view"]],
      { new_features: ["Frost alerts", "Seed stock"], removed_features: ["Old export", "Print view"] }
    ],
    [["absent_members"], [["Present members", "Ana Lopez", "Tom Reed"]], {}],
    [["away_team"], [["Home team", "Ana Lopez", "Tom Reed"]], {}]
  ])("are only of the list that it names, and not of its opposite: %j", (names, pictures, result) => {
    expect(listsOf(names, ...pictures)).toEqual(result)
  })
})

const line = (text: string, left: number, top: number, height: number) => ({
  text,
  box: [left, top, 0.01 * text.length, height] as const
})

describe("a slide with several headings", () => {
  it.each([
    [["goals", "risks"], ["Goals", "Open early", "Hire two cooks", "Risks", "Late permit", "High rent"], {
      goals: ["Open early", "Hire two cooks"],
      risks: ["Late permit", "High rent"]
    }],
    [["attendees", "apologies"], ["Attendees", "Ana Lopez", "Tom Reed", "Apologies", "Li Wei", "Joe King"], {
      attendees: ["Ana Lopez", "Tom Reed"],
      apologies: ["Li Wei", "Joe King"]
    }],
    [["materials"], ["Materials", "Plywood", "Wood glue", "Tools", "Jigsaw"], { materials: ["Plywood", "Wood glue"] }],
    [["habits"], ["Habits:", "Sing at dawn", "Nest low", "Myths:", "Bring luck"], {
      habits: ["Sing at dawn", "Nest low"]
    }],
    [["habits"], ["Habits", "• Sing at dawn", "• Nest low", "Myths", "• Bring luck"], {
      habits: ["Sing at dawn", "Nest low"]
    }],
    [["must_have"], ["Must have", "SQL", "Excel", "Nice to have", "Dutch"], { must_have: ["SQL", "Excel"] }],
    [["benefits", "trainings"], ["Benefits", "Free lunch", "Training", "Pension"], {
      benefits: ["Free lunch", "Training", "Pension"]
    }],
    [["agenda", "decisions"], ["Agenda", "Budget", "Decisions", "Staffing"], {
      agenda: ["Budget", "Decisions", "Staffing"]
    }],
    [["habits"], ["Habits", "Sing at dawn", "Nest low", "www.birds.example", "Page 3 of 12"], {
      habits: ["Sing at dawn", "Nest low"]
    }],
    [["strengths", "weaknesses"], ["Strengths  Weaknesses", "Loyal guests  Old roof", "Own bakery  High rent"], {
      strengths: ["Loyal guests", "Own bakery"],
      weaknesses: ["Old roof", "High rent"]
    }]
  ])("gives a list the lines up to the next one: %j from %j", (names, lines, result) => {
    expect(listsOf(names, lines)).toEqual(result)
  })

  it("is cut where a line is set larger, and where columns have their own headings", () => {
    const one = [line("Habits", 0.1, 0.1, 0.09), line("Sing", 0.1, 0.25, 0.05), line("Nest", 0.1, 0.35, 0.05)]
    const below = [line("Myths", 0.1, 0.5, 0.09), line("Bring luck", 0.1, 0.65, 0.05)]
    const beside = [line("Myths", 0.6, 0.1, 0.09), line("Bring luck", 0.6, 0.25, 0.05), line("Talk", 0.6, 0.35, 0.05)]
    for (const other of [below, beside]) {
      const source = footage([], [[0, [...one, ...other].toSorted((a, b) => a.box[1] - b.box[1])]])
      const schema = { type: "object", properties: { habits: texts } }
      expect(extract(inputOf(schema, source, { precision: "balanced" })).result).toEqual({ habits: ["Sing", "Nest"] })
    }
  })
})

const resultOf = (said: ReadonlyArray<string>, lines: ReadonlyArray<string>): unknown => {
  const schema = { type: "object", properties: { conditions: texts, hazards: texts } }
  const source = footage(said.map((text, at) => [5 * at, "S1", text] as const), [[2, lines]])
  return (extract(inputOf(schema, source, { precision: "balanced" })).result as { readonly conditions?: unknown })
    .conditions
}

describe("lines that speech says as well", () => {
  const approved = "We approve it with two conditions: a traffic study, and no building after six."
  it("are a list's where the sentence that announces it says them, and under no heading of another", () => {
    expect(resultOf([approved], ["Traffic study", "No building after six"])).toEqual([
      "Traffic study",
      "No building after six"
    ])
    const near = ["There are conditions.", "A traffic study was made. There was no building after six."]
    expect(resultOf(near, ["Traffic study", "No building after six"])).toBeUndefined()
    expect(JSON.stringify(resultOf([approved], ["Hazards", "Traffic study", "No building after six"]) ?? "")).not
      .toMatch(
        /Traffic/u
      )
  })
})

it.each([
  ["documents_to_bring", "As on the checklist slide", "Checklist"],
  ["not_allowed", "Things that may not go in the skip", "Do not put in your skip:"]
])("stands under the heading that its description points to: %s", (name, description, heading) => {
  const schema = { type: "object", properties: { [name]: { ...texts, description } } }
  const slide = [heading, "Bank papers", "Old tyres"]
  expect(extract(inputOf(schema, footage([], [[0, slide]]), { precision: "balanced" })).result).toEqual({
    [name]: ["Bank papers", "Old tyres"]
  })
})

it.each([
  ["Seats 41, 42, 43", { seats: ["41", "42", "43"] }],
  ["Street closed - seats 9, 9A", { seats: ["9", "9A"] }],
  ["Seats available, 42 left", {}]
])("is the numbers right behind its name: %j", (line, result) => {
  expect(listsOf(["seats"], ["Coach C", line, "Family ticket"])).toEqual(result)
})

it("stands under no heading that has one word of its description alone", () => {
  const included = { ...texts, description: "What the price covers" }
  const slide = ["Prices", "First Week Afloat", "Racing Week"]
  const schema = { type: "object", properties: { included } }
  expect(extract(inputOf(schema, footage([], [[0, slide]]), { precision: "balanced" })).result).toEqual({})
})
