import { describe, expect, it } from "vitest"
import { fieldSubjects, subjectsOf } from "../../../../workers/extraction/lexicon/KnownValues.ts"

describe("subjectsOf", () => {
  it("knows a value whatever its case, and with its country behind it", () => {
    expect(subjectsOf("Paris")).toEqual(["city"])
    expect(subjectsOf("paris, France")).toEqual(["city"])
    expect(subjectsOf("THAI")).toEqual(expect.arrayContaining(["cuisine", "language"]))
  })

  it("knows nothing of names that are no closed list", () => {
    expect(subjectsOf("Harbour Kitchen")).toEqual([])
    expect(subjectsOf("")).toEqual([])
  })
})

describe("fieldSubjects", () => {
  it("reads the name first, and the description where the name says nothing", () => {
    expect(fieldSubjects("destination city", "destination city any words")).toEqual(["city"])
    expect(fieldSubjects("wanted", "wanted the genre of the film")).toEqual(["genre"])
    expect(fieldSubjects("wanted", "wanted thing")).toEqual([])
  })
})
