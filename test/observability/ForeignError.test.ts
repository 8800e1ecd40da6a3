import { assert, it } from "@effect/vitest"
import { inspect } from "node:util"
import { foreignError } from "../../src/observability/ForeignError.ts"

it("a driver's error keeps its message, code and stack, and nothing of the client that hangs on it", () => {
  const given = Object.assign(new Error("terminating connection"), {
    code: "57P01",
    severity: "FATAL",
    client: { processID: 7, secretKey: 4242 }
  })
  const told = inspect(foreignError(given), { depth: null })
  assert.include(told, "terminating connection")
  assert.include(foreignError(given).message, "FATAL 57P01")
  assert.include(told, "ForeignError.test.ts")
  assert.notInclude(told, "4242")
})
