import { describe, expect, it } from "vitest"
import { type ObjectName, objectNames } from "../../../../src/artifacts/ObjectNames.ts"
import { inWords } from "../../../../workers/vision/description/ObjectWords.ts"
import { legibleOn, objectsOn } from "../../../../workers/vision/description/SeenObjects.ts"

const of = (...names: ReadonlyArray<ObjectName>) =>
  names.map((name) => ({ name, score: 0.9, left: 0, top: 0, right: 1, bottom: 1 }))

const at = (name: ObjectName, left: number, top: number, right: number, bottom: number) => ({
  name,
  score: 0.9,
  left,
  top,
  right,
  bottom
})

describe("things in words", () => {
  it("are counted, people first", () => {
    expect(inWords(of("cat"))).toBe("a cat")
    expect(inWords(of("umbrella", "umbrella", "person", "person"))).toBe("two people and two umbrellas")
    expect(inWords(of("chair", "bus", "person", "bus", "knife", "knife"))).toBe(
      "a person, a chair, two buses and two knives"
    )
    expect(inWords(Array.from({ length: 12 }, () => of("sheep")[0]!))).toBe("12 sheep")
  })

  it("are told with what they are on and beside, where their boxes leave no doubt", () => {
    const person = at("person", 0.2, 0.2, 0.4, 0.8)
    const chair = at("chair", 0.2, 0.5, 0.42, 0.85)
    const table = at("dining table", 0.45, 0.55, 0.9, 0.9)
    expect(inWords([person, chair, table])).toBe("a person on a chair beside a table")
    expect(inWords([table, at("laptop", 0.5, 0.45, 0.65, 0.6), at("cup", 0.7, 0.5, 0.75, 0.58)])).toBe(
      "a laptop on a table and a cup"
    )
    expect(inWords([at("laptop", 0.5, 0.45, 0.65, 0.6), table])).toBe("a laptop on a table")
    expect(inWords([at("person", 0.3, 0.1, 0.5, 0.7), at("bicycle", 0.25, 0.4, 0.6, 0.85)])).toBe(
      "a person on a bicycle"
    )
    expect(inWords([at("cat", 0.4, 0.45, 0.6, 0.65), at("couch", 0.1, 0.4, 0.9, 0.9)])).toBe("a cat and a couch")
  })

  it("are told apart where boxes could mean something else: before a chair, far behind, on two of a kind", () => {
    const chair = at("chair", 0.2, 0.6, 0.4, 0.8)
    expect(inWords([at("person", 0.2, 0.1, 0.4, 0.95), chair])).toBe("a person and a chair")
    expect(inWords([at("person", 0.2, 0.4, 0.4, 0.79), chair, at("chair", 0.5, 0.6, 0.7, 0.8)])).toBe(
      "a person and two chairs"
    )
    expect(inWords([at("person", 0.2, 0.1, 0.4, 0.9), at("car", 0.45, 0.4, 0.55, 0.5)])).toBe("a person and a car")
    expect(inWords([at("dog", 0.1, 0.5, 0.2, 0.7), at("person", 0.7, 0.2, 0.9, 0.9)])).toBe("a person and a dog")
  })

  it("are told by name up to five kinds", () => {
    expect(inWords(of(...objectNames.slice(0, 7)))).toBe(
      "a person, a bicycle, a car, a motorcycle, an airplane and other things"
    )
  })

  it("stand beside no lone letter of a view of the world, which an edge is easily read as", () => {
    const lines = ["I", "l.", "7", "OK", "出", "é"].map((text) => ({ text, confidence: 0.97 }))
    const told = (type: "scene" | "slide" | null) => legibleOn(lines, { type, confidence: 0.9 }).map(({ text }) => text)
    expect(told("scene")).toEqual(["7", "OK", "出"])
    expect(told("slide")).toHaveLength(6)
    const doubtful = [{ text: "S.IIE", confidence: 0.74 }, { text: "用", confidence: 0.9 }]
    expect(legibleOn(doubtful, { type: "scene", confidence: 1 })).toEqual([])
    expect(legibleOn(doubtful, { type: "slide", confidence: 1 })).toEqual(doubtful)
    expect(told(null)).toHaveLength(6)
  })

  it("are told of a page only where they are surest", () => {
    const box = { left: 0, top: 0, right: 1, bottom: 1 }
    const found = [{ ...box, name: "dog", score: 0.55 }, { ...box, name: "kite", score: 0.45 }] as const
    expect(objectsOn(found, { type: "slide", confidence: 0.9 }).map(({ name }) => name)).toEqual(["dog"])
    expect(objectsOn(found, { type: "scene", confidence: 0.9 })).toHaveLength(2)
    expect(objectsOn(found, { type: null, confidence: 0.2 })).toHaveLength(2)
  })
})
