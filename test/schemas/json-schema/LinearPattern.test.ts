import { assert, describe, it } from "@effect/vitest"
import { linearPattern } from "../../../src/schemas/json-schema/LinearPattern.ts"

const large = (index: number) => `^${"(?:[a-c]x){0,1000}".repeat(10)}${index}$`

describe("compiled patterns", () => {
  it("are kept for whoever asks again, until others have taken their room", () => {
    const [first, later] = [linearPattern(large(0)), linearPattern(large(1))]
    assert.strictEqual(linearPattern(large(0)), first)
    for (let index = 2; index < 11; index++) linearPattern(large(index))
    assert.notStrictEqual(linearPattern(large(0)), first)
    assert.isTrue(linearPattern(large(0)).test("axbx0"))
    assert.isTrue(later.test("cx1"))
  })
})
