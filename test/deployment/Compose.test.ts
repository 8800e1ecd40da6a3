import { assert, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parse } from "yaml"
import { isGiven, type ProcessRole } from "../../src/processes/ProcessEnvironment.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

interface Service {
  readonly command: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string>>
  readonly read_only?: boolean
  readonly cap_drop?: ReadonlyArray<string>
}

it("compose.yaml starts what is there, gives each process its role's variables alone, and confines it", () => {
  const { services } = parse(readFileSync(`${root}compose.yaml`, "utf8"), { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>
  }
  const ours = Object.entries(services).filter(([name]) => name !== "postgres")
  const served = new Set<string>()
  for (const [name, { cap_drop, command, environment, read_only }] of ours) {
    const [, program, ...words] = command
    assert.isTrue(existsSync(`${root}${program}`), program)
    const roles = (program === "workers/main.ts" ?
      words.flatMap((pool) => pool === "media" ? ["fetch", "media"] : [pool])
      : ["api"]) as ReadonlyArray<ProcessRole>
    for (const role of roles) served.add(role)
    for (const variable of Object.keys(environment)) {
      assert.isTrue(isGiven(roles, variable), `${name} is given ${variable}`)
    }
    assert.isTrue(read_only)
    assert.deepStrictEqual(cap_drop, ["ALL"])
  }
  assert.sameMembers([...served], ["api", "fetch", "media", "speech", "vision", "extraction", "delivery"])
})
