import { assert, describe, it } from "@effect/vitest"
import { extract } from "../../../../../workers/extraction/Extract.ts"
import { footage, inputOf } from "../../Footage.ts"

const texts = { type: "array", items: { type: "string" } }

const given = (name: string, said: ReadonlyArray<string>) => {
  const source = footage(said.map((text, at): [number, string, string] => [5 * at, "A", text]))
  const input = inputOf({ type: "object", properties: { [name]: texts } }, source, { precision: "balanced" })
  return (extract(input).result as Readonly<Record<string, unknown>>)[name]
}

describe("what is found good or bad", () => {
  it.each<[string, ReadonlyArray<string>, ReadonlyArray<string>]>([
    ["pros", ["What I like: the artwork is gorgeous, and turns are quick once people know the icons."], [
      "the artwork is gorgeous",
      "turns are quick once people know the icons"
    ]],
    ["cons", ["What I don't like: the webcam's grainy, and the fan is loud."], [
      "the webcam's grainy",
      "the fan is loud"
    ]],
    ["problems", ["Bad stuff, let me think. The fridge is really noisy, and the safe doesn't lock. That's about it."], [
      "The fridge is really noisy",
      "the safe doesn't lock"
    ]],
    ["went_well", [
      "What went well for me, the new login page went out without a single bug.",
      "And pairing on the search, I really liked that."
    ], ["the new login page went out without a single bug", "pairing on the search"]]
  ])("is each clause that is announced as such: %s", (name, said, wanted) => {
    assert.deepEqual(given(name, said), wanted)
  })

  it.each<[string, ReadonlyArray<string>]>([
    ["pros", ["What I don't like: the webcam's grainy, and the fan is loud."]],
    ["cons", ["What I like: the artwork is gorgeous, and turns are quick."]],
    ["pros", ["The artwork was made by two brothers, and the box is from Ghent."]],
    ["pros", ["What do I like? Hard to say."]]
  ])("is nothing of the other side, and nothing that is merely said: %s", (name, said) => {
    assert.isUndefined(given(name, said))
  })
})
