import { expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { footage, inputOf } from "../Footage.ts"

const shown = async (names: ReadonlyArray<string>, lines: ReadonlyArray<string>) => {
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]))
  const frames = [[0, lines], [10, lines]] as const
  const { result } = await extract(
    inputOf({ type: "object", properties }, footage([], frames), { precision: "balanced" })
  )
  return result
}

it("one value answers two fields where each has it under its own label, and else the better match alone", async () => {
  expect(await shown(["home_team", "winner"], ["Final", "Home team: Rovers", "Winner: Rovers"])).toEqual({
    home_team: "Rovers",
    winner: "Rovers"
  })
  expect(await shown(["origin", "destination"], ["Round trip", "Origin: Leeds", "Distance: 3 km"])).toEqual({
    origin: "Leeds"
  })
})
