import { describe, expect, it } from "vitest"
import { type EntryFinder, type EntryMentions } from "../../../../../workers/extraction/candidates/Mention.ts"
import {
  competitors,
  guests,
  hosts,
  participants,
  sponsors
} from "../../../../../workers/extraction/lists/kinds/PeopleAndOrganisations.ts"
import { prices } from "../../../../../workers/extraction/lists/kinds/Quantities.ts"
import { links } from "../../../../../workers/extraction/lists/kinds/SlideContents.ts"
import { questions, steps } from "../../../../../workers/extraction/lists/kinds/SpokenStatements.ts"
import {
  concerns,
  difficulties,
  needs,
  tips,
  warnings,
  wishes
} from "../../../../../workers/extraction/lists/kinds/WishesAndConcerns.ts"
import { materialOf, type Shown, type Turn } from "../../Footage.ts"

/** Each sentence a turn of its own, ten seconds apart. */
const said = (...texts: ReadonlyArray<string>): ReadonlyArray<Turn> => texts.map((text, at) => [at * 10, "S1", text])

const texts = (finder: EntryFinder, turns: ReadonlyArray<Turn>, shown: ReadonlyArray<Shown> = []) =>
  finder(materialOf(turns, shown)).map((one: EntryMentions) => (one["text"] ?? one["name"])!.value)

describe("what is told", () => {
  it.each([
    "I couldn't find the export anywhere.",
    "The menu is really confusing when it opens.",
    "It takes us two hours every week.",
    "The printer never works on a Monday.",
    "The problem is that nobody reads it.",
    "The app crashes whenever I rotate it."
  ])("takes as a difficulty: %s", (text) => {
    expect(texts(difficulties, said(text))).toEqual([text.slice(0, -1)])
  })

  it.each([
    "Is the menu confusing when it opens?",
    "Some users told us that the menu is confusing.",
    "The menu is not confusing at all.",
    "If it crashed every day, I would find it annoying.",
    "It won't get lost in there.",
    "The rest is hard plastic."
  ])("takes as no difficulty: %s", (text) => {
    expect(texts(difficulties, said(text))).toEqual([])
  })

  it("takes back a difficulty that somebody else denies right after it", () => {
    const turns: ReadonlyArray<Turn> = [[0, "S1", "The export is slow for you."], [10, "S2", "No, not for me."]]
    expect(texts(difficulties, turns)).toEqual([])
    expect(texts(difficulties, turns.slice(0, 1))).toEqual(["The export is slow for you"])
  })

  it("takes wishes, also those that are put as a condition, and no courtesies", () => {
    const turns = said(
      "I wish it had a dark mode.",
      "And it would be nice if it opened faster.",
      "We need a second screen in the office.",
      "I would like to hear how you work.",
      "I wish to thank the board.",
      "Would you like to see a map?"
    )
    expect(texts(wishes, turns)).toEqual([
      "I wish it had a dark mode",
      "it would be nice if it opened faster",
      "We need a second screen in the office"
    ])
  })

  it("takes each need once, with its speaker and its second", () => {
    const turns: ReadonlyArray<Turn> = [
      [0, "S1", "Hello, I'm Nora Weiss and I ask."],
      [10, "S2", "Hi, I'm Ben Carter. We need a list that is not so slow when it opens."],
      [30, "S2", "The search is slow in the shop."]
    ]
    const found = needs(materialOf(turns))
    expect(found.map(({ said_at, speaker, text }) => [text!.value, speaker!.value, said_at!.value])).toEqual([
      ["The search is slow in the shop", "Ben Carter", 30],
      ["We need a list that is not so slow when it opens", "Ben Carter", 11.2]
    ])
  })

  it("takes doubts and no politeness", () => {
    const turns = said(
      "I'm worried that nobody will use it.",
      "To be honest, that sounds too expensive for us.",
      "I'm not worried about the price.",
      "I'm afraid I have to go now."
    )
    expect(texts(concerns, turns)).toEqual([
      "I'm worried that nobody will use it",
      "To be honest, that sounds too expensive for us"
    ])
  })

  it("takes warnings without what leads to them, and no comfort", () => {
    const turns = said(
      "So never leave the oil alone.",
      "And be careful with the blade.",
      "Don't worry about the colour.",
      "I don't know what it is."
    )
    expect(texts(warnings, turns)).toEqual(["never leave the oil alone", "be careful with the blade"])
  })

  it("takes tips from speech and from lines on screen", () => {
    const shown: ReadonlyArray<Shown> = [[0.5, ["Bread", "Tip: let it rest overnight"]]]
    const turns = said("A little trick is to warm the bowl first.", "The tip of the knife is sharp.")
    expect(texts(tips, turns, shown)).toEqual(["let it rest overnight", "warm the bowl first"])
  })

  it("gives each instruction the second at which it is given", () => {
    const found = steps(materialOf([
      [5, "S1", "Then mix the flour and the salt. It smells good. Make sure you don't spill it."]
    ]))
    expect(found.map(({ said_at, text }) => [text!.value, said_at!.value])).toEqual([[
      "mix the flour and the salt",
      5.3
    ]])
  })

  it("takes no money for a price that is owned, spent or only imagined", () => {
    const turns = said(
      "The small plan costs 20 dollars per month.",
      "We have about 3,000 dollars a year for that.",
      "Last year we paid 900 dollars for it.",
      "If it cost 90 dollars per month, I would hang up."
    )
    expect(prices(materialOf(turns)).map(({ amount }) => amount!.value)).toEqual([20])
  })

  it("answers a question by what somebody else says right after it, and not by the asker", () => {
    const turns: ReadonlyArray<Turn> = [
      [0, "S1", "Where did you learn that?"],
      [5, "S2", "In the harbour. My aunt taught me."],
      [15, "S1", "And when was that?"],
      [20, "S1", "It must be long ago."],
      [30, "S1", "Do you miss it?"],
      [35, "S2", "Do you?"]
    ]
    expect(questions(materialOf(turns)).map(({ answer }) => answer?.value)).toEqual([
      "In the harbour. My aunt taught me.",
      undefined,
      undefined
    ])
  })
})

describe("who is named, and as what", () => {
  const show: ReadonlyArray<Turn> = [
    [0, "S1", "Welcome to the show, I'm Nora Weiss and with me is Samir Haddad."],
    [10, "S2", "Hello, I'm Samir Haddad. My teacher was Henrik Olsen."]
  ]

  it("tells hosts, guests and people who are only talked about apart", () => {
    expect(texts(hosts, show)).toEqual(["Nora Weiss"])
    expect(texts(guests, show)).toEqual(["Samir Haddad"])
    expect(texts(participants, show)).toEqual(["Nora Weiss", "Samir Haddad"])
  })

  it("keeps whoever is named while a voice has no name", () => {
    const turns: ReadonlyArray<Turn> = [
      [0, "S1", "Good morning, I'm Nora Weiss."],
      [10, "S2", "We should ask Henrik Olsen."]
    ]
    expect(texts(participants, turns)).toEqual(["Nora Weiss", "Henrik Olsen"])
  })

  it("takes a guest from a title on screen", () => {
    expect(texts(guests, said("Let us begin."), [[0.5, ["Harbour Voices", "Interview with Ines Duarte"]]])).toEqual([
      "Ines Duarte"
    ])
  })

  it("takes as sponsors and competitors only what is announced as such, once", () => {
    const turns = said(
      "This episode is brought to you by Fernhill Coffee.",
      "I bought a watch from Tempora Works.",
      "At the moment we use Routely for that.",
      "If we used Mapster, I would be happier.",
      "We use Routely every day."
    )
    expect(texts(sponsors, turns)).toEqual(["Fernhill Coffee"])
    expect(texts(competitors, turns)).toEqual(["Routely"])
  })

  it("knows who says his own name behind it, and a guest behind what he is", () => {
    const turns: ReadonlyArray<Turn> = [
      [0, "S1", "My guest tonight is the novelist Daniel Okoye."],
      [10, "S2", "Hi, Petra Vogel here, from the library."]
    ]
    expect(texts(guests, turns)).toEqual(["Daniel Okoye"])
    expect(materialOf(turns).registry.speakers.get("S2")?.name).toBe("Petra Vogel")
  })

  it("lists an address once, as the screen spells it", () => {
    const shown: ReadonlyArray<Shown> = [[0.5, ["More", "www.tides.example/a"]]]
    expect(texts(links, said("See www.tides.example/a and www.other.example for more."), shown)).toEqual([
      "www.tides.example/a",
      "www.other.example"
    ])
  })
})
