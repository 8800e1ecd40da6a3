/* oxlint-disable unicorn/no-thenable -- `then` is a keyword of JSON Schema */
/** A schema of one dialect, with values that fit it and values that do not. */
export interface DialectCase {
  readonly what: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly fits: ReadonlyArray<unknown>
  readonly misfits: ReadonlyArray<unknown>
}

const draft = (name: string) => `http://json-schema.org/${name}/schema#`
const since = (name: string) => `https://json-schema.org/draft/${name}/schema`

/** What the dialects differ in, told with our own schemas. */
export const dialectCases: ReadonlyArray<DialectCase> = [
  {
    what: "draft-04: bounds are made exclusive by a boolean, tuples are arrays in `items`",
    schema: {
      $schema: draft("draft-04"),
      type: "object",
      properties: {
        score: { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: false },
        span: { type: "array", items: [{ type: "number" }, { type: "number" }], additionalItems: false }
      }
    },
    fits: [{ score: 1 }, { score: 0.01, span: [1, 2] }, { span: [1] }],
    misfits: [{ score: 0 }, { score: 1.01 }, { span: [1, "b"] }, { span: [1, 2, 3] }]
  },
  {
    what: "draft-04: `id` is a base, `$ref` stands alone and `const` means nothing yet",
    schema: {
      $schema: draft("draft-04"),
      id: "https://example.com/clip",
      properties: {
        a: { $ref: "#/definitions/word", maxLength: 1 },
        b: { $ref: "clip#/definitions/word" },
        c: { const: 1 }
      },
      definitions: { word: { type: "string", minLength: 2 } }
    },
    fits: [{ a: "long", b: "long" }, { c: 2 }],
    misfits: [{ a: "s" }, { b: 1 }]
  },
  {
    what: "draft-06: bounds are numbers, `const`, `contains` and `propertyNames` hold, `if` does not yet",
    schema: {
      $schema: draft("draft-06"),
      properties: {
        n: { exclusiveMinimum: 0 },
        list: { contains: { const: "x" } },
        map: { propertyNames: { pattern: "^[a-z]+$" } },
        odd: { if: true, then: false }
      }
    },
    fits: [{ n: 1 }, { list: [1, "x"] }, { map: { a: 1 } }, { odd: 1 }],
    misfits: [{ n: 0 }, { list: [1] }, { list: [] }, { map: { A: 1 } }]
  },
  {
    what: "draft-07: conditions hold, encoded content is read, what 2019-09 brought is ignored",
    schema: {
      $schema: draft("draft-07"),
      properties: {
        kind: { enum: ["a", "b"] },
        note: { contentEncoding: "base64", contentMediaType: "application/json" }
      },
      if: { properties: { kind: { const: "a" } }, required: ["kind"] },
      then: { required: ["note"] },
      dependencies: { note: ["kind"] },
      unevaluatedProperties: false
    },
    fits: [{}, { kind: "b" }, { kind: "a", note: "e30=" }, { other: 1 }],
    misfits: [{ kind: "a" }, { note: "e30=" }, { kind: "a", note: "{}" }, { kind: "a", note: "ew==" }]
  },
  {
    what: "2019-09: `$ref` has neighbours, members are counted as evaluated, recursion looks at who began",
    schema: {
      $schema: since("2019-09"),
      $id: "https://example.com/strict",
      $recursiveAnchor: true,
      $ref: "node",
      unevaluatedProperties: false,
      $defs: {
        node: {
          $id: "node",
          $recursiveAnchor: true,
          type: "object",
          properties: { name: { type: "string" }, kids: { items: { $recursiveRef: "#" } } }
        }
      }
    },
    fits: [{}, { name: "a", kids: [{ name: "b" }] }],
    misfits: [{ nmae: "a" }, { kids: [{ nmae: "b" }] }, { kids: [1] }]
  },
  {
    what: "2019-09: `items` may be a tuple and `dependentRequired`, `minContains` and `maxContains` hold",
    schema: {
      $schema: since("2019-09"),
      properties: {
        pair: { items: [{ type: "string" }], additionalItems: { type: "number" } },
        list: { contains: { type: "string" }, minContains: 2, maxContains: 3 }
      },
      dependentRequired: { pair: ["list"] }
    },
    fits: [{ list: ["a", "b", 1] }, { pair: ["a", 1], list: ["a", "b"] }],
    misfits: [{ pair: ["a"] }, { pair: ["a", "b"], list: ["a", "b"] }, { list: ["a"] }, { list: ["a", "a", "a", "a"] }]
  },
  {
    what: "2020-12: one generic list is strict about strings and about numbers, by who refers to it",
    schema: {
      $schema: since("2020-12"),
      $id: "https://example.com/lists",
      properties: { words: { $ref: "words" }, sizes: { $ref: "sizes" } },
      $defs: {
        list: {
          $id: "list",
          type: "array",
          items: { $dynamicRef: "#entry" },
          $defs: { any: { $dynamicAnchor: "entry" } }
        },
        words: { $id: "words", $ref: "list", $defs: { entry: { $dynamicAnchor: "entry", type: "string" } } },
        sizes: { $id: "sizes", $ref: "list", $defs: { entry: { $dynamicAnchor: "entry", type: "number" } } }
      }
    },
    fits: [{ words: ["a"] }, { sizes: [1] }, { words: [], sizes: [] }],
    misfits: [{ words: [1] }, { sizes: ["a"] }, { words: 1 }]
  },
  {
    what: "2020-12: tuples are `prefixItems`, items are counted as evaluated, `contains` included",
    schema: {
      $schema: since("2020-12"),
      prefixItems: [{ type: "string" }],
      contains: { type: "null" },
      minContains: 0,
      unevaluatedItems: false
    },
    fits: [[], ["a"], ["a", null], ["a", null, null]],
    misfits: [[1], ["a", 1], ["a", null, "b"]]
  },
  {
    what: "any: steps are decimal, names of the language are names, patterns are ECMA-262's",
    schema: {
      properties: {
        price: { multipleOf: 0.01 },
        huge: { multipleOf: 0.5 },
        text: { pattern: "^\\S\\s.$" },
        code: { pattern: "^\\p{Script=Greek}[^\\W\\d_]\\cJ?$" }
      },
      patternProperties: { "^constructor$": { type: "string" } },
      required: ["hasOwnProperty"]
    },
    fits: [
      { hasOwnProperty: 1, price: 4.35 },
      { hasOwnProperty: 1, huge: 1e308, constructor: "a" },
      { hasOwnProperty: 1, text: "a\u2028b", code: "Δz\n" }
    ],
    misfits: [
      {},
      { hasOwnProperty: 1, price: 4.355 },
      { hasOwnProperty: 1, constructor: 1 },
      { hasOwnProperty: 1, text: "a\u00A0\u2028" },
      { hasOwnProperty: 1, text: "a\u180Eb" },
      { hasOwnProperty: 1, code: "Dz" }
    ]
  }
]
