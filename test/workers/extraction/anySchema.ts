import * as fc from "fast-check"

const words =
  "finished migration garage new cellar pets allowed price cost monthly plan name title owner task due date day time start end speaker range tide bay staging region report outage shared free entry available shown video maps rain warning is has number of total count people city duration minutes link email state kind next meeting feature"
    .split(" ")

const word = fc.constantFrom(...words)
const phrase = fc.array(word, { minLength: 1, maxLength: 5 }).map((list) => list.join(" "))

/** `garageNew`, `is_finished`, `Next meeting`: as people name what they want. */
const propertyName = fc.tuple(fc.array(word, { minLength: 1, maxLength: 3 }), fc.constantFrom("_", "camel", " ", "-"))
  .map(([list, style]) =>
    style === "camel"
      ? list.map((one, at) => at === 0 ? one : one.charAt(0).toUpperCase() + one.slice(1)).join("")
      : list.join(style)
  )

const described = <T extends object>(schema: fc.Arbitrary<T>): fc.Arbitrary<object> =>
  fc.record({
    schema,
    title: phrase,
    description: fc.tuple(
      fc.constantFrom("", "Whether the ", "The ", "How many ", "When the "),
      phrase,
      fc.constantFrom("", "; null if nobody says so", ", only if it is shown")
    ).map((parts) => parts.join(""))
  }, { requiredKeys: ["schema"] }).map(({ schema, ...words }): object => Object.assign({}, schema, words))

const scalar = described(fc.oneof(
  { weight: 3, arbitrary: fc.constant<object>({ type: "boolean" }) },
  { weight: 2, arbitrary: fc.constant<object>({ type: "string" }) },
  { weight: 2, arbitrary: fc.constantFrom<object>({ type: "number" }, { type: "integer" }) },
  fc.constantFrom("date", "time", "uri", "email", "duration", "date-time").map((format) => ({
    type: "string",
    format
  })),
  fc.constantFrom("string", "boolean", "integer").map((type) => ({ type: [type, "null"] })),
  fc.uniqueArray(phrase, { minLength: 1, maxLength: 4 }).map((labels) => ({
    enum: labels.map((one) => one.replaceAll(" ", "_"))
  })),
  fc.constantFrom<object>(
    { enum: [true, false] },
    { enum: [1, 5, "five"] },
    { const: "Tom" },
    { anyOf: [{ type: "number" }, { type: "string" }] },
    { anyOf: [{ type: "boolean" }, { type: "null" }] },
    { type: "integer", minimum: 2, maximum: 20 },
    { type: "string", maxLength: 12 },
    { type: ["string", "boolean", "number"] },
    {}
  )
))

const objectOf = (member: fc.Arbitrary<object>, maxKeys: number): fc.Arbitrary<object> =>
  fc.dictionary(propertyName, member, { minKeys: 1, maxKeys }).chain((properties) =>
    fc.subarray(Object.keys(properties)).map((required) => ({ type: "object", properties, required }))
  )

/** What a caller could ask of a source: single values, records, lists of both, maps, named well or badly. All have an instance. */
export const anySchema: fc.Arbitrary<object> = objectOf(
  fc.oneof(
    { weight: 4, arbitrary: scalar },
    objectOf(scalar, 3),
    described(scalar.map((items) => ({ type: "array", items }))),
    described(objectOf(scalar, 4).map((items) => ({ type: "array", items, maxItems: 5 }))),
    scalar.map((additionalProperties) => ({ type: "object", additionalProperties }))
  ),
  5
)
