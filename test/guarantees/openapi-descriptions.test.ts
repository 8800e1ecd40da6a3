import { assert, describe, it } from "@effect/vitest"
import { describedPaths } from "../../src/api/openapi/OpenApiDescriptions.ts"
import { openApiDocument } from "../../src/api/OpenApiDocument.ts"

const document = JSON.parse(openApiDocument())
const { schemas } = document.components

/** Every property of every schema by its path, items of an array on the path of the array. */
const propertiesOf = (schema: any, path: string): ReadonlyArray<readonly [path: string, property: any]> => {
  if (typeof schema !== "object" || schema === null) return []
  const members = Object.entries<any>(schema.properties ?? {})
  const own = members.map(([name, property]) => [`${path}.${name}`, property] as const)
  const inner = members.flatMap(([name, property]) => propertiesOf(property, `${path}.${name}`))
  const below = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  return [...own, ...inner, ...below.flatMap((one) => propertiesOf(one, path))]
}

const target = ($ref: string) => schemas[$ref.split("/").at(-1)!]
/** A schema told apart by its type has the properties of each of its forms. */
const formsOf = (schema: any): ReadonlyArray<any> => [
  schema,
  ...Object.values<string>(schema.discriminator?.mapping ?? {}).map(target)
]
const shown = Object.entries<any>(schemas).flatMap(([name, schema]) =>
  formsOf(schema).flatMap((form) => propertiesOf(form, name))
)

/** All schemas that these lead to, by name. */
const reachable = (from: ReadonlyArray<unknown>): ReadonlySet<string> => {
  const names = new Set<string>()
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return
    for (const [key, child] of Object.entries(node)) {
      const name = key === "$ref" ? /^#\/components\/schemas\/(.+)$/u.exec(String(child))?.[1] : undefined
      if (name === undefined) visit(child)
      else if (!names.has(name)) {
        names.add(name)
        visit(schemas[name])
      }
    }
  }
  from.forEach(visit)
  return names
}

const operations = Object.values<any>(document.paths).flatMap((methods) => Object.values<any>(methods))
const closed = (node: unknown): boolean =>
  typeof node === "object" && node !== null
  && ((node as any).additionalProperties === false || Object.values(node).some(closed))

describe("docs/openapi.json", () => {
  it("says of every moment that bounds a list whether the moment itself is within", () => {
    const bounds = [
      ...operations.flatMap(({ parameters }) => parameters ?? []).map((one: any) => [one.name, one.description]),
      ...shown.map(([path, { description }]) => [path.split(".").at(-1), description])
    ].filter(([name]) => /^(?:created|finished)_(?:after|before)$/u.test(name))
    assert.isAbove(bounds.length, 10)
    for (const [name, description] of bounds) {
      assert.include(description, name.endsWith("_after") ? "at this moment or later" : "before this moment, not at it")
    }
  })

  it("says of every schema and every property what it is", () => {
    assert.isAbove(shown.length, 300)
    const mute = shown.filter(([, property]) =>
      (property.description ?? (property.$ref === undefined ? undefined : target(property.$ref).description) ?? "")
        .trim() === ""
    ).map(([path]) => path)
    assert.deepStrictEqual([...new Set(mute)], [])
    assert.deepStrictEqual(
      Object.entries<any>(schemas).filter(([, { description = "" }]) => description.trim() === "").map(([name]) =>
        name
      ),
      []
    )
  })

  it("has no description left of what is not there any more", () => {
    const there = new Set([...Object.keys(schemas), ...shown.map(([path]) => path)])
    assert.deepStrictEqual(describedPaths.filter((path) => !there.has(path)), [])
  })

  it("takes no field that it does not know, and lets every answer grow by one", () => {
    const answers = operations.map(({ responses }) => responses)
    const asked = reachable(operations.flatMap(({ requestBody }) => requestBody ?? []))
    const answered = reachable(answers)
    assert.deepStrictEqual([...answered].filter((name) => closed(schemas[name])), [])
    assert.isFalse(closed(answers))
    for (const name of ["CreateJob", "JobHints", "CreateWebhookDestination", "WebhookConfig", "CreateSchema"]) {
      assert.include([...asked], name)
      assert.isFalse(schemas[name].additionalProperties, name)
    }
  })

  it("requires no field that has a default, and takes any JSON Schema", () => {
    const { properties, required } = schemas.CreateJob
    assert.deepStrictEqual(required, ["source_uri"])
    assert.isTrue(properties.schema_inline.additionalProperties)
    const sent = reachable(operations.flatMap(({ requestBody }) => requestBody ?? []))
    for (const name of sent) assert.notInclude(JSON.stringify(schemas[name]), `"default":`, name)
    assert.include(properties.on_missing.description, "Default: `fill`.")
  })

  it("ties the config of a destination to its type, and each event of a webhook to its own", () => {
    const { discriminator, oneOf } = schemas.CreateDestination
    assert.strictEqual(discriminator.propertyName, "type")
    assert.sameMembers(Object.values(discriminator.mapping), oneOf.map(({ $ref }: { $ref: string }) => $ref))
    for (const [type, $ref] of Object.entries<string>(discriminator.mapping)) {
      assert.deepStrictEqual(target($ref).properties.type.enum, [type])
    }
    assert.sameMembers(Object.keys(discriminator.mapping), schemas.DestinationType.enum)
    for (const [kind, { post }] of Object.entries<any>(document.webhooks)) {
      const { $ref } = post.requestBody.content["application/json"].schema
      assert.deepStrictEqual(target($ref).properties.type.enum, [kind])
    }
  })
})
