import { describe, expect, it } from "vitest"
import { type ObjectName, objectNames } from "../../../../src/artifacts/ObjectNames.ts"
import { inWords } from "../../../../workers/vision/description/ObjectWords.ts"
import { objectsOn } from "../../../../workers/vision/description/SeenObjects.ts"

const of = (...names: ReadonlyArray<ObjectName>) => names.map((name) => ({ name }))

describe("things in words", () => {
  it("are counted, people first", () => {
    expect(inWords(of("cat"))).toBe("a cat")
    expect(inWords(of("umbrella", "umbrella", "person", "person"))).toBe("two people and two umbrellas")
    expect(inWords(of("chair", "bus", "person", "bus", "knife", "knife"))).toBe(
      "a person, a chair, two buses and two knives"
    )
    expect(inWords(Array.from({ length: 12 }, () => ({ name: "sheep" as const })))).toBe("12 sheep")
  })

  it("are told by name up to five kinds", () => {
    expect(inWords(of(...objectNames.slice(0, 7)))).toBe(
      "a person, a bicycle, a car, a motorcycle, an airplane and other things"
    )
  })

  it("are told of a page only where they are surest", () => {
    const box = { left: 0, top: 0, right: 1, bottom: 1 }
    const found = [{ ...box, name: "dog", score: 0.55 }, { ...box, name: "kite", score: 0.45 }] as const
    expect(objectsOn(found, { type: "slide", confidence: 0.9 }).map(({ name }) => name)).toEqual(["dog"])
    expect(objectsOn(found, { type: "scene", confidence: 0.9 })).toHaveLength(2)
    expect(objectsOn(found, { type: null, confidence: 0.2 })).toHaveLength(2)
  })
})
