import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { footage, inputOf, type Shown, type Turn } from "../Footage.ts"

const text = { type: "string" }
const number = { type: "number" }

/** The list `name` of what this schema gets from a video that says and shows exactly this. */
const listOf = (name: string, list: object, turns: ReadonlyArray<Turn>, shown: ReadonlyArray<Shown> = []): unknown => {
  const schema = { type: "object", properties: { [name]: { type: "array", ...list } } }
  return (extract(inputOf(schema, footage(turns, shown))).result as Record<string, unknown>)[name]
}
const objects = (properties: object) => ({ items: { type: "object", properties } })

const rest: ReadonlyArray<Turn> = [
  [200, "S1", "The weather was kind to us that week."],
  [210, "S1", "We had forty visitors and a dog."],
  [220, "S1", "See you next time, and thanks for watching."]
]

describe("lists of prices", () => {
  it("have no sum and no payment of one, and a thing that is called like one", () => {
    const shown: ReadonlyArray<Shown> = [
      [5.5, ["Tern kayak $149", "Balance bike $229", "Total $378", "Balance due $300", "Deposit due today $78"]]
    ]
    const found = extract(
      inputOf(
        { type: "object", properties: { prices: { type: "array", ...objects({ name: text, price: number }) } } },
        footage(rest, shown),
        { precision: "balanced" }
      )
    ).result
    expect(found).toEqual({ prices: [{ name: "Tern kayak", price: 149 }, { name: "Balance bike", price: 229 }] })
  })
})

describe("lists of events", () => {
  const clocked = { at: { type: "string", description: "HH:MM" }, event: text }

  it("are the lines of the screen that each begin with their time", () => {
    const shown: ReadonlyArray<Shown> = [
      [5.5, ["Timeline", "21:10 nightly job drops the table", "22:00 sale opens", "22:58 pages are normal again"]]
    ]
    expect(listOf("timeline_of_events", objects(clocked), rest, shown)).toEqual([
      { at: "21:10", event: "nightly job drops the table" },
      { at: "22:00", event: "sale opens" },
      { at: "22:58", event: "pages are normal again" }
    ])
  })

  it("are two lines already where these have columns, each with its own day", () => {
    const dated = { title: text, date: { type: "string", format: "date" } }
    const shown: ReadonlyArray<Shown> = [
      [5.5, ["Events", "Seed swap | Sat 7 February 2026", "Ghost stories | Thu 19 February 2026"]]
    ]
    expect(listOf("events", objects(dated), rest, shown)).toEqual([
      { title: "Seed swap", date: "2026-02-07" },
      { title: "Ghost stories", date: "2026-02-19" }
    ])
    const owed = { task: text, owner: text, due: { type: "string", format: "date" } }
    const rows: ReadonlyArray<Shown> = [
      [5.5, ["Action items", "Renew the certificate | Lena | 2025-06-20", "Add an expiry alert | Joss | 2025-06-27"]]
    ]
    expect(listOf("action_items", objects(owed), rest, rows)).toEqual([
      { task: "Renew the certificate", owner: "Lena", due: "2025-06-20" },
      { task: "Add an expiry alert", owner: "Joss", due: "2025-06-27" }
    ])
  })

  it("are not two lines with a time among others", () => {
    const shown: ReadonlyArray<Shown> = [[5.5, ["Opening hours", "09:00 Monday", "10:00 Sunday", "Closed in May"]]]
    expect(listOf("timeline_of_events", objects(clocked), rest, shown)).toBeUndefined()
  })
})

describe("lists of texts", () => {
  it("are read from a series in the sentence that speaks of them, without articles and remarks", () => {
    const turns: ReadonlyArray<Turn> = [
      [1, "S1", "Let me show you how to hang the shelf."],
      [10, "S1", "For tools you need a spirit level, a pair of pliers and a cordless drill, nothing else."]
    ]
    expect(listOf("tools", { items: text }, [...turns, ...rest])).toEqual(["spirit level", "pliers", "cordless drill"])
  })

  it("are read from the answer to a question about them", () => {
    const turns: ReadonlyArray<Turn> = [
      [1, "S1", "And what is in the glaze?"],
      [6, "S2", "It is very simple. Wood ash, feldspar and a little cobalt. That is all."]
    ]
    const list = { items: text, description: "What the glaze is made from" }
    expect(listOf("minerals", list, [...turns, ...rest])).toEqual(["Wood ash", "feldspar", "cobalt"])
  })

  it("are what speech counts, in that order", () => {
    const turns: ReadonlyArray<Turn> = [
      [1, "S1", "Three exercises today, and two rounds of them."],
      [10, "S1", "First one is the plank. Keep your back straight."],
      [40, "S1", "Second, the side lunge. Slowly."],
      [70, "S1", "And the last one, wall push-ups. Nice and easy."]
    ]
    expect(listOf("exercises", { items: text }, [...turns, ...rest])).toEqual(["plank", "side lunge", "wall push-ups"])
  })

  it("are not the steps that speech counts after it has named theirs", () => {
    const turns: ReadonlyArray<Turn> = [
      [1, "S1", "The tools are a hand saw, a file and a clamp."],
      [10, "S1", "First, mark the board with a line."],
      [40, "S1", "Second, cut along the mark."],
      [70, "S1", "And finally, smooth the edge."]
    ]
    expect(listOf("tools", { items: text }, [...turns, ...rest])).toEqual(["hand saw", "file", "clamp"])
  })

  it("are not what speech counts where it has only mentioned them before", () => {
    const turns: ReadonlyArray<Turn> = [
      [1, "S1", "My tools live in the shed."],
      [10, "S1", "First, mark the board with a line."],
      [40, "S1", "Second, cut along the mark."],
      [70, "S1", "And finally, smooth the edge."]
    ]
    expect(listOf("tools", { items: text }, [...turns, ...rest])).toBeUndefined()
  })

  it.each([
    ["allergens", "Allergens: gluten, egg, milk", ["gluten", "egg", "milk"]],
    ["keywords", "Keywords: soil; compost; worms", ["soil", "compost", "worms"]],
    ["languages", "Languages: French, Dutch and German", ["French", "Dutch", "German"]]
  ])("are the %s of one line that is labelled so: %s", (name, line, members) => {
    expect(listOf(name, { items: text }, rest, [[5.5, ["Good to know", line]]])).toEqual(members)
  })

  it("are the lines under a heading in their own words", () => {
    const shown: ReadonlyArray<Shown> = [[5.5, ["Warning signs", "Numb fingers", "Blurred sight"]]]
    const list = { items: text, description: "Signs to stop at once" }
    expect(listOf("signs", list, rest, shown)).toEqual(["Numb fingers", "Blurred sight"])
  })

  it("take nothing from a series about something else", () => {
    const turns: ReadonlyArray<Turn> = [[1, "S1", "We walked past a mill, a church and an old bakery."]]
    expect(listOf("tools", { items: text }, [...turns, ...rest])).toBeUndefined()
  })
})

describe("lists of objects", () => {
  it("are the rows of a table on screen: names, and numbers by their units", () => {
    const shown: ReadonlyArray<Shown> = [[5.5, ["Cut list", "2 x side panel 80 cm", "3 x shelf 42.5 cm"]]]
    const list = objects({ part: text, quantity: { type: "integer" }, length_cm: number })
    expect(listOf("cuts", list, rest, shown)).toEqual([
      { part: "side panel", quantity: 2, length_cm: 80 },
      { part: "shelf", quantity: 3, length_cm: 42.5 }
    ])
  })

  it("take no sum for an entry, and no bare number for a measure", () => {
    const shown: ReadonlyArray<Shown> = [
      [5.5, ["Costs", "Oak boards $40", "Screws $6", "Total $46"]],
      [9.5, ["Result", "Northgate 3", "Vale Town 1"]]
    ]
    expect(listOf("materials_used", objects({ name: text, price_usd: number }), rest, shown)).toEqual([
      { name: "Oak boards", price_usd: 40 },
      { name: "Screws", price_usd: 6 }
    ])
    expect(listOf("goals", objects({ scorer: text, minute: { type: "integer" } }), rest, shown)).toBeUndefined()
  })

  it("are put together from speech: each name with what is said of it until the next", () => {
    const turns: ReadonlyArray<Turn> = [
      [1, "S1", "We start with the Brask Nine. It costs ninety dollars."],
      [8, "S1", "It is light as well, two hundred grams."],
      [16, "S1", "And then there is the Tolva Max. That one costs one hundred and fifty dollars."],
      [24, "S1", "You feel it in the hand, three hundred and ten grams."]
    ]
    const list = objects({ name: text, price_usd: number, weight_g: number })
    expect(listOf("devices", list, [...turns, ...rest])).toEqual([
      { name: "Brask Nine", price_usd: 90, weight_g: 200 },
      { name: "Tolva Max", price_usd: 150, weight_g: 310 }
    ])
  })

  it("join what is shown of a name with what is said of it", () => {
    const turns: ReadonlyArray<Turn> = [
      [6, "S1", "Here is the Brask Nine. It weighs two hundred grams."],
      [26, "S1", "And the Tolva Max weighs three hundred and ten grams."]
    ]
    const shown: ReadonlyArray<Shown> = [[5.5, ["Brask Nine", "$90"]], [25.5, ["Tolva Max", "$150"]]]
    const list = objects({ name: text, price_usd: number, weight_g: number })
    expect(listOf("devices", list, [...turns, ...rest], shown)).toEqual([
      { name: "Brask Nine", price_usd: 90, weight_g: 200 },
      { name: "Tolva Max", price_usd: 150, weight_g: 310 }
    ])
  })

  it("give people what captions and introductions say they are", () => {
    const turns: ReadonlyArray<Turn> = [
      [1, "S1", "Our reporter Dorian Vell is on the pier."],
      [20, "S2", "I heard it before I saw it."]
    ]
    const shown: ReadonlyArray<Shown> = [[19.5, ["Imke Stade", "Harbour pilot"]]]
    expect(listOf("people", objects({ name: text, role: text }), [...turns, ...rest], shown)).toEqual([
      { name: "Dorian Vell", role: "reporter" },
      { name: "Imke Stade", role: "Harbour pilot" }
    ])
  })

  it("give nothing where only one thing is said of one name", () => {
    const turns: ReadonlyArray<Turn> = [[1, "S1", "The Brask Nine costs ninety dollars."]]
    expect(listOf("devices", objects({ name: text, weight_g: number }), [...turns, ...rest])).toBeUndefined()
  })

  it("give amounts with their units as one text where the list asks for one", () => {
    const shown: ReadonlyArray<Shown> = [[5.5, ["Dough", "300 g flour", "150 g butter", "3 eggs"]]]
    expect(listOf("ingredients", objects({ name: text, quantity: text }), rest, shown)).toEqual([
      { name: "flour", quantity: "300 g" },
      { name: "butter", quantity: "150 g" },
      { name: "eggs", quantity: "3" }
    ])
  })
})
