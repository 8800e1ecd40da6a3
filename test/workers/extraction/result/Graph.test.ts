import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { alignmentIndex } from "../../../../workers/extraction/grounding/Align.ts"
import { buildGraph, contentId } from "../../../../workers/extraction/result/Graph.ts"
import { footage, inputOf, materialOf, type Shown, type Turn } from "../Footage.ts"

const turns: ReadonlyArray<Turn> = [
  [0, "S1", "Hello, I am Nina Sommer and I work for Northwind Software in Oslo."],
  [10, "S2", "we looked at the trail budy for about nine weeks"],
  [20, "S1", "Nina and the team of Northwind Software measured 40 percent less power."]
]
const shown: ReadonlyArray<Shown> = [[0.5, ["Trail Buddy", "by Northwind Software", "Nina Sommer"]]]

const graphOf = (said: ReadonlyArray<Turn>, seen: ReadonlyArray<Shown> = shown) => {
  const { registry, reading, sentences } = materialOf(said, seen)
  const heard = alignmentIndex(reading.passages.filter((passage) => passage.modality === "audio"))
  return buildGraph(reading, registry, sentences, heard, [])
}

/** Text with its own place on the screen. */
const cell = (text: string, left: number, top: number) => ({ text, box: [left, top, 0.3, 0.05] as const })

describe("buildGraph", () => {
  it("joins what is heard and seen of one name in one node, spelled as on screen", () => {
    const { nodes } = graphOf(turns).canonical
    const company = nodes.find((node) => node.label === "Northwind Software")!
    expect(company).toMatchObject({ kind: "entity", type: "organisation", modality: "both" })
    expect(company.mentions).toBeGreaterThanOrEqual(3)
    expect(nodes.filter((node) => node.kind === "entity" && node.label.includes("Nina"))).toMatchObject([
      { label: "Nina Sommer", type: "person", modality: "both" }
    ])
  })

  it("states claims of the screen by the words that stand there, without what parts their cells", () => {
    const rows: ReadonlyArray<Shown> = [[0.5, [
      cell("86", 0.1, 0.3),
      cell("the onboarding now costs 5,000 euros", 0.5, 0.3),
      cell("89", 0.1, 0.4),
      cell("the battery lasts for 30 hours of work", 0.5, 0.4)
    ]]]
    const labels = graphOf(turns, rows).canonical.nodes.flatMap(({ kind, label }) => kind === "claim" ? [label] : [])
    expect(labels).toContain("86 the onboarding now costs 5,000 euros")
    expect(labels.filter((label) => label.includes("|"))).toEqual([])
  })

  it("states claims word for word, at their own seconds, by their speaker", () => {
    const { edges, nodes } = graphOf(turns).canonical
    const claim = nodes.find((node) => node.kind === "claim" && node.label.startsWith("Nina and the team"))!
    expect(claim).toMatchObject({ label: turns[2]![2], t_start: 20, source_refs: ["seg#000003"] })
    const speaker = nodes.find((node) => node.kind === "speaker" && node.label === "Nina Sommer")!
    expect(edges).toContainEqual(expect.objectContaining({ source: speaker.id, target: claim.id, relation: "states" }))
    const mentioned = edges.filter((edge) => edge.source === claim.id && edge.relation === "mentions")
    expect(mentioned).toHaveLength(2)
  })

  it("keeps every id when a segment is appended", () => {
    const before = graphOf(turns).canonical
    const after = graphOf([...turns, [30, "S3", "Later Paul Hall from Bergen bought 12 of them."]]).canonical
    const ids = new Set([...after.nodes, ...after.edges].map(({ id }) => id))
    expect([...before.nodes, ...before.edges].filter(({ id }) => !ids.has(id))).toEqual([])
    expect(after.nodes.length).toBeGreaterThan(before.nodes.length)
  })

  it("has unique ids, and edges only between nodes that are there, in both views", () => {
    const { canonical, compact } = graphOf(turns)
    for (const { edges, nodes } of [canonical, compact]) {
      const ids = new Set(nodes.map(({ id }) => id))
      expect(ids.size).toBe(nodes.length)
      expect(new Set(edges.map(({ id }) => id)).size).toBe(edges.length)
      expect(edges.filter(({ source, target }) => !ids.has(source) || !ids.has(target))).toEqual([])
    }
    expect(compact.nodes.length).toBeLessThanOrEqual(canonical.nodes.length)
    expect(compact.edges.some(({ relation }) => relation === "co_occurs")).toBe(false)
  })

  it("is empty for a source that says and shows nothing", () => {
    expect(graphOf([], []).canonical).toEqual({ view: "canonical", nodes: [], edges: [] })
  })
})

describe("contentId", () => {
  it("depends on content alone and gives ten characters after its prefix", () => {
    expect(contentId("ent_", "entity|oslo")).toBe(contentId("ent_", "entity|oslo"))
    expect(contentId("ent_", "entity|oslo")).toMatch(/^ent_[0-9a-hjkmnp-tv-z]{10}$/u)
    expect(contentId("ent_", "entity|oslo")).not.toBe(contentId("ent_", "entity|bergen"))
  })
})

describe("a result in the graph", () => {
  const source = footage(turns, shown)
  const text = { type: "string" }
  const schema = {
    type: "object",
    properties: {
      presenter: { ...text, description: "Name of the presenter." },
      vendor: { ...text, description: "Company that makes it." }
    }
  }

  it("has a node for every value, tied to the nodes that it is evidenced by", () => {
    const { evidence, graph, graph_compact, result } = extract(inputOf(schema, source))
    expect(Object.keys(result as object).length).toBeGreaterThan(0)
    for (const view of [graph, graph_compact]) {
      const values = view.nodes.filter(({ kind }) => kind === "result")
      expect(values.map(({ label, type }) => [type, label]).toSorted())
        .toEqual(Object.entries(result as Record<string, string>).toSorted())
      for (const { node_id, pointer, source_ref } of evidence.spans) {
        const { id } = values.find(({ type }) => `/${type}` === pointer)!
        expect(view.edges).toContainEqual(
          expect.objectContaining({ source: id, relation: "evidenced_by", target: node_id, source_refs: [source_ref] })
        )
      }
    }
  })

  it("has one node for the entry of a list, whatever its place", () => {
    const reading = materialOf(turns, shown).reading
    const at = (words: string) => {
      const passage = reading.passages.find((one) => one.text.includes(words))!
      const from = passage.text.indexOf(words)
      return { passage, from, to: from + words.length }
    }
    const entry = (index: number) => [
      { path: ["people", index, "name"], value: "Nina Sommer", span: at("Nina Sommer"), seeks: "person" },
      { path: ["people", index, "firm"], value: "Northwind Software", span: at("Northwind Software"), seeks: null }
    ]
    const nodes = [0, 3].map((index) => {
      const { registry, reading: own, sentences } = materialOf(turns, shown)
      const heard = alignmentIndex(own.passages.filter((passage) => passage.modality === "audio"))
      const { canonical } = buildGraph(own, registry, sentences, heard, entry(index))
      return canonical.nodes.filter(({ kind }) => kind === "result")
    })
    expect(nodes[0]).toMatchObject([{ label: "Nina Sommer", type: "people", mentions: 2 }])
    expect(nodes[1]).toEqual(nodes[0])
  })
})

const revenue = (year: number) => ({ type: "number", description: `Revenue in ${year} in dollars.` })

describe("the node of a result", () => {
  it("is called as its field is, whatever the field's name looks like", () => {
    const source = footage([], [[0.5, ["Sales report", "2023: 40 dollars", "2024: 40 dollars", "Code: A17"]]])
    const properties = { 2023: revenue(2023), 2024: revenue(2024), "a/b~c": { type: "string", description: "Code." } }
    const { graph, result } = extract(inputOf({ type: "object", properties }, source, { precision: "balanced" }))
    expect(result).toEqual({ 2023: 40, 2024: 40, "a/b~c": "A17" })
    expect(graph.nodes.flatMap(({ kind, type }) => kind === "result" ? [type] : []).toSorted())
      .toEqual(["2023", "2024", "a/b~c"])
  })
})

describe("an entity", () => {
  it.each<readonly [string, ReadonlyArray<Turn>, ReadonlyArray<Shown>, ReadonlyArray<string>]>([
    [
      "people on one slide",
      [],
      [[0.5, ["Team", "Anna Keller", "Anne Keller"]]],
      ["Anna Keller", "Anne Keller"]
    ],
    [
      "people in one sentence",
      [[0, "S1", "Today John Smith and Joan Smith signed the contract for 40 boats."]],
      [],
      ["John Smith", "Joan Smith"]
    ],
    [
      "countries",
      [[0, "S1", "We went to Gambia and Zambia with 12 boats and to Austria and Australia with 40."]],
      [],
      ["Gambia", "Zambia", "Austria", "Australia"]
    ],
    [
      "models",
      [[0, "S1", "The price of Model X is 40 dollars and the Model S costs 70 dollars."]],
      [],
      ["Model X", "Model S"]
    ],
    ["languages", [[0, "S1", "We compared C++ and then C# for 40 weeks in Oslo."]], [], ["C++", "C#"]],
    [
      "what only begins alike",
      [[0, "S1", "We use Google Maps for 40 stores and today Google charges 5 dollars for it."]],
      [],
      ["Google Maps", "Google"]
    ]
  ])("is no other one that is nearly called so: %s", (_, said, seen, names) => {
    expect(labelsOf(said, seen)).toEqual(expect.arrayContaining([...names]))
  })

  it("is not mentioned by a longer name that is another one's", () => {
    const { nodes } = graphOf([
      [0, "S1", "I'm Laura Bell and we use Google Maps for 40 stores."],
      [10, "S2", "My name is Laura. Today Google charges 5 dollars for it."]
    ], []).canonical
    const count = (name: string) => nodes.find(({ kind, label }) => kind === "entity" && label === name)?.mentions
    expect(["Laura Bell", "Laura", "Google Maps", "Google"].map(count)).toEqual([1, 1, 1, 1])
  })

  it("is whoever goes by a part of a name that the recogniser misread beside a person on screen", () => {
    const labels = labelsOf(
      [[0, "S1", "Tamsin Okoro sold 40 boats, and Tamsin was glad about 20 dollars."]],
      [[0.5, ["Harbour news", "Tamsin Okorro", "Reporter"]]]
    )
    expect(labels.filter((label) => label.includes("Tamsin"))).toEqual(["Tamsin Okorro"])
  })

  it("is no person for being short for one's initials", () => {
    const { nodes } = graphOf([
      [0, "S1", "Hello, I am Peter Crane and I repaired 40 boats."],
      [10, "S1", "Yesterday we paid 300 dollars for a PC in Oslo."]
    ], []).canonical
    expect(nodes.find(({ kind, label }) => kind === "entity" && label === "Peter Crane")).toMatchObject({ mentions: 1 })
  })

  it("is no word that opens a sentence, no heading of one word and no number", () => {
    const { nodes } = graphOf(
      [
        [0, "S1", "Because it rains, we leave. Hollow and welcome to the talk of Marta Lindqvist."],
        [10, "S1", "Twelve of them came. Then we saw Fenwick again, near the mill in Oslo."]
      ],
      [[0.5, ["Beginners"]], [20, ["Summary"]]]
    ).canonical
    const named = nodes.filter(({ kind }) => kind === "entity").map(({ label, type }) => [label, type])
    expect(named).toContainEqual(["Fenwick", null])
    expect(named).toContainEqual(["Oslo", "place"])
    expect(
      named.map(([label]) => label).filter((label) =>
        /^(?:Because|Hollow|Twelve|Beginners|Summary|Then)$/u.test(label!)
      )
    )
      .toEqual([])
  })
})

const labelled = (said: ReadonlyArray<Turn>, seen: ReadonlyArray<Shown> = []) => {
  const { edges, nodes } = graphOf(said, seen).canonical
  const label = new Map(nodes.map((node) => [node.id, node.label]))
  return edges.map(({ relation, source, target }) => `${label.get(source)} ${relation} ${label.get(target)}`)
}

const labelsOf = (said: ReadonlyArray<Turn>, seen: ReadonlyArray<Shown> = []) =>
  graphOf(said, seen).canonical.nodes.flatMap(({ kind, label }) => kind === "entity" ? [label] : [])

const typesOf = (said: ReadonlyArray<Turn>, seen: ReadonlyArray<Shown> = []) =>
  Object.fromEntries(
    graphOf(said, seen).canonical.nodes.flatMap(({ kind, label, type }) => kind === "entity" ? [[label, type]] : [])
  )

describe("what is no entity", () => {
  it("are days, spelling words, headings in capitals, and words that only open a clause", () => {
    const labels = labelsOf([
      [0, "S1", "While Radek was away we met on Saturdays, the plate is Kilo Romeo Four."],
      [9, "S1", "Somebody called, and Radek came back."]
    ], [[0.5, ["Ferry report", "RATED CAPACITY 2500"]]])
    expect(labels).toContain("Radek")
    expect(labels.filter((label) => /While|Saturday|Kilo|RATED|Somebody/u.test(label))).toEqual([])
  })

  it("is a name with its score, beside the name", () => {
    const labels = labelsOf([[0, "S1", "Welcome back. Northfield United play at home."]], [[0.5, [
      "Full time",
      "Northfield United 2"
    ]]])
    expect(labels.filter((label) => label.includes("Northfield"))).toEqual(["Northfield United"])
  })
})

describe("the type of an entity", () => {
  it("is a person where somebody is spoken to, does what people do, or goes by the first half of the name", () => {
    expect(typesOf([
      [0, "S1", "Thanks, Wendell. And now, Folarin, can you tell us about the pumps?"],
      [10, "S2", "I asked Councilman Drury, and Shirin thought that it was fine."],
      [20, "S1", "Dario Venn reports from the harbour. So over to you, Dario."]
    ])).toMatchObject({
      "Wendell": "person",
      "Folarin": "person",
      "Councilman Drury": "person",
      "Shirin": "person",
      "Dario Venn": "person"
    })
    expect(typesOf([[0, "S1", "Good evening."]], [[0.5, ["Pelle Arvidsen", "Harbour master"]]])).toMatchObject({
      "Pelle Arvidsen": "person"
    })
  })

  it("is a place for a country, and none for a language or what has an article", () => {
    const types = typesOf([
      [0, "S1", "We shipped two of the Quellmar to Uruguay in spring, in English boxes."],
      [9, "S1", "The Quellmar, can you see it, is the small one."]
    ])
    expect(types).toMatchObject({ Uruguay: "place", Quellmar: null })
    expect(Object.values(types)).not.toContain("person")
  })
})

const northwinds = (...said: ReadonlyArray<Turn>) =>
  graphOf(said, []).canonical.nodes.find(({ label }) => label === "Northwind Software")?.mentions

describe("relations of a graph", () => {
  it("are what is said in so many words", () => {
    const all = labelled([
      [0, "S1", "With me is Nina Sommer, our finance director, and she works here in town."],
      [10, "S1", "The first boat of all was built on the ninth of September."],
      [20, "S1", "Northwind Software in Oslo measured 40 percent less power."]
    ], shown)
    expect(all).toContain("finance director role_of Nina Sommer")
    expect(all).toContain(
      "The first boat of all was built on the ninth of September. happened_at the ninth of September"
    )
  })

  it.each([
    ["It is not true that Nina Sommer works for Northwind Software.", "works_for"],
    ["If Nina Sommer works for Northwind Software, we lose 40 percent of it.", "works_for"],
    ["I doubt that the Trail Buddy costs 500 dollars in any shop.", "price_of"],
    ["The Harbour Bridge was never opened on May 3, 2019 to anybody.", "happened_at"],
    ["Nobody believes that Oslo Group is part of Harbour Systems today.", "part_of"],
    ["Ask the coach, Trail Buddy costs 40 dollars.", "role_of"]
  ])("are none of what is denied, doubted or a condition: %s", (text, relation) => {
    expect(labelled([[0, "S1", text]]).filter((one) => one.includes(` ${relation} `))).toEqual([])
  })

  it.each([
    ["Nina Sommer works for Northwind Software.", "Nina Sommer works_for Northwind Software"],
    ["The Trail Buddy costs 500 dollars in any shop.", "500 dollars price_of Trail Buddy"],
    ["The Harbour Bridge was opened on May 3, 2019 to everybody.", "happened_at May 3, 2019"],
    ["Oslo Group is part of Harbour Systems today.", "Oslo Group part_of Harbour Systems"],
    ["You will meet our coach, Nina Sommer, at 9 in Oslo.", "coach role_of Nina Sommer"]
  ])("are what is stated: %s", (text, edge) => {
    expect(labelled([[0, "S1", text]]).filter((one) => one.includes(edge))).toHaveLength(1)
  })

  it("are none of a company that another speaker names, or that was named long ago", () => {
    const bought: Turn = [0, "S1", "We buy all our pumps from Northwind Software for 40 dollars."]
    const bankrupt = "The company went bankrupt after 3 years and owed 40 dollars."
    expect(northwinds(bought, [10, "S1", bankrupt])).toBe(2)
    expect(northwinds(bought, [10, "S2", bankrupt])).toBe(1)
    const founded: Turn = [10, "S1", "Ten years ago I founded a bakery with 12 people."]
    expect(northwinds(bought, founded, [20, "S1", bankrupt])).toBe(1)
  })

  it("are none of what is to come or was moved", () => {
    const all = labelled([[0, "S1", "The next evening was going to be the fourth of December, but we moved it."]])
    expect(all.filter((one) => one.includes("happened_at"))).toEqual([])
  })

  it("join what a slide shows and a voice says in the same words in one statement, seen and heard", () => {
    const words = "The new engine needs 40 percent less power"
    const { nodes } = graphOf([[5, "S1", `${words}.`]], [[4, ["Results", words, "Next steps"]]]).canonical
    expect(nodes.filter(({ kind }) => kind === "claim")).toMatchObject([{
      label: words,
      modality: "both",
      mentions: 2
    }])
  })

  it.each([
    ["The pump may be used with water above 60 degrees", "The pump may not be used with water above 60 degrees."],
    ["The pump may be used with water above 60 degrees", "The pump may be used with water below 60 degrees."],
    ["It is possible to run the pump at 60 degrees here", "It is impossible to run the pump at 60 degrees here."],
    ["In the cellar there were -5 degrees at night", "In the cellar there were 5 degrees at night."],
    [
      "Northwind Software sued Harbour Systems for 40 dollars",
      "Harbour Systems sued Northwind Software for 40 dollars."
    ]
  ])("join nothing that says something else: %s", (line, said) => {
    const { nodes } = graphOf([[5, "S1", said]], [[4, ["Results", line, "Next steps"]]]).canonical
    expect(nodes.filter(({ kind }) => kind === "claim")).toHaveLength(2)
  })

  it("join nothing whose numbers differ", () => {
    const { nodes } = graphOf(
      [[5, "S1", "The new engine needs 50 percent less power."]],
      [[4, ["Results", "The new engine needs 40 percent less power", "Next steps"]]]
    ).canonical
    expect(nodes.filter(({ kind }) => kind === "claim")).toHaveLength(2)
  })
})
