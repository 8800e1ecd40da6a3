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

const file = readFileSync(`${root}compose.yaml`, "utf8")

const innermost = /\$\{(\w+)(?::-([^${}]*)|:\?[^${}]*)?\}/gu

/** As Compose puts variables in: an empty one is as good as none, and what stands in for it may have variables itself. */
const filled = (text: string, env: Readonly<Record<string, string>>): string => {
  const next = text.replaceAll(innermost, (_, name: string, otherwise = "") => env[name] || otherwise)
  return next === text ? text : filled(next, env)
}

it("compose.yaml's API is called, by links and by whoever signs in, at the port where this host has it", () => {
  const cases: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
    ["http://127.0.0.1:8080", {}],
    ["http://127.0.0.1:8080", { FOOTNOTE_PORT: "" }],
    ["http://127.0.0.1:9000", { FOOTNOTE_PORT: "9000", FOOTNOTE_PUBLIC_URL: "" }],
    ["https://a.example", { FOOTNOTE_PORT: "9000", FOOTNOTE_PUBLIC_URL: "https://a.example" }]
  ]
  for (const [url, env] of cases) {
    const { services } = parse(filled(file, env), { merge: true })
    assert.strictEqual(services.api.environment.FOOTNOTE_PUBLIC_URL, url)
    assert.strictEqual(services.delivery.environment.FOOTNOTE_PUBLIC_URL, url)
    assert.deepStrictEqual(services.api.ports, [`127.0.0.1:${env["FOOTNOTE_PORT"] || "8080"}:8080`])
  }
})

it("deploy/compose.env.example names every variable that compose.yaml asks for, but for images of one's own", () => {
  const asked = [...file.matchAll(/\$\{(\w+)/gu)].map(([, name]) => name!).filter((name) => !name.endsWith("_IMAGE"))
  const given = [...readFileSync(`${root}deploy/compose.env.example`, "utf8").matchAll(/^(\w+)=/gmu)]
  assert.sameMembers(given.map(([, name]) => name!), [...new Set(asked)])
})

it("compose.yaml starts what is there, gives each process its role's variables alone, and confines it", () => {
  const { services } = parse(file, { merge: true }) as {
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
