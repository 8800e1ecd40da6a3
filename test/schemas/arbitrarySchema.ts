import * as fc from "fast-check"
import { type JsonSchema, pointerTo } from "../../src/schemas/json-schema/JsonSchema.ts"

const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })
const names = ["name", "price", "items", "a/b", "m~n", "owner", "kind"]

const present = (record: Readonly<Record<string, unknown>>): JsonSchema =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))

const strings = fc.record({
  minLength: some(fc.nat(4)),
  maxLength: some(fc.integer({ min: 4, max: 12 })),
  pattern: some(fc.constantFrom("^[A-Z]", "\\d{2}$", "^(?:a|b)+$", "^[a-z]+-\\d+$", "")),
  format: some(fc.constantFrom("date", "uri", "email", "unknown")),
  default: some(fc.constantFrom("x", 5, null))
}).map((keywords) => present({ type: "string", ...keywords }))

const numbers = fc.record({
  type: fc.constantFrom("number", "integer"),
  minimum: some(fc.integer({ min: -3, max: 3 })),
  exclusiveMaximum: some(fc.integer({ min: 4, max: 9 })),
  multipleOf: some(fc.constantFrom(0.5, 2, 3))
}).map(present)

const others = fc.constantFrom<JsonSchema>(
  { type: "boolean" },
  { type: ["string", "null"] },
  { type: ["integer", "string"], not: { enum: [0, ""] } },
  { enum: ["red", "green", 3, null] },
  { const: "fixed" },
  {},
  true
)

const { schema } = fc.letrec<{ schema: JsonSchema; object: JsonSchema; array: JsonSchema; choice: JsonSchema }>((
  tie
) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    strings,
    numbers,
    others,
    tie("object"),
    tie("array"),
    tie("choice")
  ),
  object: fc.record({
    properties: fc.dictionary(fc.constantFrom(...names), tie("schema"), { maxKeys: 4 }),
    required: fc.subarray(names, { maxLength: 3 }),
    additionalProperties: some(fc.oneof(fc.boolean(), tie("schema"))),
    minProperties: some(fc.nat(2)),
    dependentRequired: some(fc.constant({ price: ["name"] })),
    patternProperties: some(fc.constant({ "^o": { type: ["string", "null"] } }))
  }).map((keywords) =>
    present({
      type: "object",
      ...keywords,
      // A required name that nothing declares is legal; most of them make a schema that nothing fits.
      required: keywords.required.filter((name) => Object.hasOwn(keywords.properties, name))
    })
  ),
  array: fc.record({
    items: tie("schema"),
    minItems: some(fc.nat(3)),
    maxItems: some(fc.integer({ min: 1, max: 4 })),
    uniqueItems: some(fc.boolean()),
    contains: some(fc.constant({ type: "string" }))
  }).map((keywords) => present({ type: "array", ...keywords })),
  choice: fc.tuple(fc.constantFrom("anyOf", "oneOf", "allOf"), fc.array(tie("schema"), { minLength: 1, maxLength: 3 }))
    .map(([keyword, branches]) => ({ [keyword]: branches }))
}))

export const arbitrarySchema: fc.Arbitrary<JsonSchema> = schema

/** Pointer templates of every place that a schema mentions, down to four levels. */
export const templatesOf = (schema: any, at = "", depth = 0): ReadonlyArray<string> => {
  if (typeof schema !== "object" || schema === null || depth > 4) return [at]
  const below = [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, sub]) =>
      templatesOf(sub, pointerTo(at, name), depth + 1)
    ),
    ...(typeof schema.items === "object" ? templatesOf(schema.items, `${at}/*`, depth + 1) : []),
    ...(Array.isArray(schema.prefixItems) ? templatesOf(schema.prefixItems[0], `${at}/0`, depth + 1) : []),
    ...(typeof schema.additionalProperties === "object"
      ? templatesOf(schema.additionalProperties, `${at}/{}`, depth + 1)
      : []),
    ...["anyOf", "oneOf", "allOf"].flatMap((keyword) =>
      (schema[keyword] ?? []).flatMap((branch: unknown) => templatesOf(branch, at, depth + 1))
    ),
    ...Object.values(schema.$defs ?? schema.definitions ?? {}).flatMap((sub) => templatesOf(sub, at, depth + 1))
  ]
  return [...new Set([at, ...below])]
}
