import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import * as fc from "fast-check"
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { jsonLine } from "../../src/observability/JsonLog.ts"

/** The line of one message as we write it and as Effect's own logger does. */
const both = (message: unknown, annotations: Readonly<Record<string, unknown>>) => {
  const lines: Array<readonly [string, string]> = []
  const logger = Logger.make((options) => {
    lines.push([jsonLine(options), Logger.formatJson.log(options)])
  })
  const line = Effect.annotateLogs(Effect.logInfo(message), annotations)
  Effect.runSync(Effect.provide(line, Logger.layer([logger])))
  return lines[0]!
}

const program = (last: string) => `
  import { Effect, Logger } from "effect"
  import { makeJsonLogger } from ${
  JSON.stringify(fileURLToPath(new URL("../../src/observability/JsonLog.ts", import.meta.url)))
}
  const logged = (effect) => Effect.runSync(Effect.provide(effect, Logger.layer([logger])))
  const logger = makeJsonLogger({ gathered: true })
  logged(Effect.logInfo("first"))
  logged(Effect.logInfo("second"))
  ${last}`

const said = (last: string) => {
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program(last)], {
    encoding: "utf8",
    cwd: fileURLToPath(new URL("../..", import.meta.url))
  })
  return stdout.trimEnd().split("\n").map((line) => JSON.parse(line).message)
}

describe("log lines as JSON", () => {
  it("are what Effect's own logger writes, whatever is said and whatever stands beside it", () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.object())
    fc.assert(fc.property(fc.oneof(fc.string(), fc.object()), fc.dictionary(fc.string(), value), (message, beside) => {
      const [ours, theirs] = both(message, beside)
      assert.deepStrictEqual(JSON.parse(ours), JSON.parse(theirs))
    }))
  })

  it("are all written when the process ends by itself or by its own word", () => {
    assert.deepStrictEqual(said(""), ["first", "second"])
    assert.deepStrictEqual(said("process.exit(3)"), ["first", "second"])
  })

  it("are written at once with a warning, in their order, though the process is killed right after", () => {
    const last = `logged(Effect.logWarning("third")); process.kill(process.pid, "SIGKILL")`
    assert.deepStrictEqual(said(last), ["first", "second", "third"])
  })
})
