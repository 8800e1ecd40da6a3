import { describe, expect, it } from "vitest"
import { canonicalKeys, type KeyFacts } from "../../../../workers/extraction/result/CanonicalKeys.ts"

type Facts = Partial<Omit<KeyFacts, "shortFor">> & { readonly shortFor?: ReadonlyArray<string> }
const person: Facts = { type: "person" }
const shown: Facts = { said: false, shown: true }

/** By each name the one that it stands for, of names that are said unless told otherwise. */
const joined = (names: Readonly<Record<string, Facts>>): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(canonicalKeys(
    new Map(
      Object.entries(names).map(([key, { shortFor = [], ...facts }], at) => [key, {
        count: 100 - at,
        type: null,
        said: true,
        shown: false,
        capitals: false,
        known: false,
        shortFor: new Set(shortFor),
        ...facts
      }])
    )
  ))

describe("canonicalKeys", () => {
  it("joins a person's parts, initials, misread spellings and split words to the one whole they fit", () => {
    expect(joined({
      "nina sommer": person,
      "nina": {},
      "northwind software": shown,
      "northwind softwar": {},
      "world health group": {},
      "whg": { capitals: true },
      "peter crane": person,
      "pc": { capitals: true, shortFor: ["peter crane"] },
      "data base": {},
      "database": {}
    })).toMatchObject({
      "nina": "nina sommer",
      "northwind softwar": "northwind software",
      "whg": "world health group",
      "pc": "peter crane",
      "database": "data base"
    })
  })

  it.each<readonly [string, Readonly<Record<string, Facts>>]>([
    ["a part that fits two wholes", { "nina sommer": person, "nina winter": person, "nina": {} }],
    ["parts of institutions", { "oslo university": {}, "oslo": {} }],
    ["parts of what is no person", {
      "new york times": {},
      "new york": { type: "place" },
      "google maps": {},
      "google": {}
    }],
    ["a part that somebody else goes by", { "laura bell": person, "laura": { ...person, known: true } }],
    ["two spellings in speech", { "john smith": person, "joan smith": person, "gambia": {}, "zambia": {} }],
    ["two spellings on screen", { "anna keller": { ...person, ...shown }, "anne keller": { ...person, ...shown } }],
    ["what is said beside what is shown, where both are names", { "maria lopez": shown, "mario lopez": {} }],
    ["two known places", { "austria": { ...shown, known: true }, "australia": { known: true } }],
    ["words of few letters", { "team a": shown, "team b": {}, "model x": shown, "model s": {} }],
    ["words of other letters", { "north wing": shown, "south wing": {} }],
    ["things of two types", { "harbour": { ...shown, type: "place" }, "harbours": person }],
    ["initials of people", {
      "peter crane": person,
      "pc": { capitals: true },
      "ulrich schmidt": {},
      "us": { capitals: true }
    }],
    ["a word that is not in capitals", { "emma doyle group": { type: "organisation" }, "edg": {} }]
  ])("leaves apart %s", (_, names) => {
    expect(joined(names)).toEqual(Object.fromEntries(Object.keys(names).map((key) => [key, key])))
  })
})
