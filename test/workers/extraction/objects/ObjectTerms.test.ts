import { describe, expect, it } from "vitest"
import { objectNames } from "../../../../src/artifacts/ObjectNames.ts"
import { kindsNamed } from "../../../../workers/extraction/objects/ObjectTerms.ts"

describe("kindsNamed", () => {
  it("knows every kind that the detector tells, in the singular and the plural", () => {
    for (const name of objectNames) {
      expect(kindsNamed(name), name).toEqual(new Set([name]))
      const plural = name.replace(/(?:s|sh|ch|x)$/u, "$&e").replace(/$/u, "s")
      if (!/s$|sheep|person|mouse|knife|broccoli/u.test(name)) expect(kindsNamed(plural), plural).toContain(name)
    }
    for (
      const [word, name] of [["people", "person"], ["mice", "mouse"], ["knives", "knife"], [
        "wine_glasses",
        "wine glass"
      ]]
    ) {
      expect(kindsNamed(word!), word).toEqual(new Set([name]))
    }
  })

  it("knows no kind that the detector does not tell", () => {
    const told = new Set<string>(objectNames)
    for (
      const word of ["animals", "vehicles", "furniture", "food", "objects", "devices", "utensils", "luggage", "sofa"]
    ) {
      for (const name of kindsNamed(word)!) expect(told, `${word}: ${name}`).toContain(name)
    }
    for (const word of ["deer", "house", "price", "ball", "glass", "screen"]) {
      expect(kindsNamed(word), word).toBeUndefined()
    }
  })
})
