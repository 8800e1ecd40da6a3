import type { JsonSchema } from "../../src/schemas/json-schema/JsonSchema.ts"

const nullable = (type: string) => ({ type: [type, "null"] })

/** Schemas as people write them, each with something that a filler gets wrong easily. */
export const realisticSchemas: Readonly<Record<string, JsonSchema>> = {
  strictAllRequired: {
    type: "object",
    additionalProperties: false,
    required: ["title", "price", "in_stock", "tags", "maker"],
    properties: {
      title: { type: "string" },
      price: { type: "number", exclusiveMinimum: 0 },
      in_stock: { type: "boolean" },
      tags: { type: "array", items: { type: "string" } },
      maker: {
        type: "object",
        additionalProperties: false,
        required: ["name", "country"],
        properties: { name: { type: "string", minLength: 2 }, country: { enum: ["DE", "FR", "US"] } }
      }
    }
  },
  zodStyle: {
    $schema: "http://json-schema.org/draft-07/schema#",
    $ref: "#/definitions/Recipe",
    definitions: {
      Recipe: {
        type: "object",
        required: ["name", "ingredients"],
        properties: {
          name: { type: "string" },
          servings: { type: "integer", exclusiveMinimum: 0 },
          ingredients: { type: "array", minItems: 1, items: { $ref: "#/definitions/Ingredient" } }
        },
        additionalProperties: false
      },
      Ingredient: {
        type: "object",
        required: ["name"],
        properties: { name: { type: "string" }, quantity: { type: "number" }, unit: { enum: ["g", "ml", "tsp"] } },
        additionalProperties: false
      }
    }
  },
  pydanticStyle: {
    $defs: {
      Status: { type: "string", enum: ["open", "closed"], title: "Status" },
      Ticket: {
        type: "object",
        title: "Ticket",
        required: ["id", "status"],
        properties: {
          id: { type: "string", pattern: "^[A-Z]{2,5}-\\d+$" },
          status: { $ref: "#/$defs/Status" },
          assignee: { anyOf: [{ type: "string" }, { type: "null" }], default: null },
          due: { anyOf: [{ type: "string", format: "date" }, { type: "null" }] }
        }
      }
    },
    type: "object",
    title: "Board",
    required: ["tickets"],
    properties: { tickets: { type: "array", items: { $ref: "#/$defs/Ticket" } } }
  },
  discriminatedUnion: {
    type: "object",
    required: ["events"],
    properties: {
      events: {
        type: "array",
        items: {
          oneOf: [
            {
              type: "object",
              additionalProperties: false,
              required: ["kind", "product", "amount"],
              properties: {
                kind: { const: "sale" },
                product: { type: "string" },
                amount: { type: "number", minimum: 1 }
              }
            },
            {
              type: "object",
              additionalProperties: false,
              required: ["kind", "reason"],
              properties: { kind: { const: "refund" }, reason: { type: "string", minLength: 1 } }
            }
          ]
        }
      }
    }
  },
  inheritance: {
    allOf: [
      { type: "object", required: ["name"], properties: { name: { type: "string" } } },
      { type: "object", required: ["age"], properties: { age: { type: "integer", minimum: 18, maximum: 120 } } }
    ],
    unevaluatedProperties: false
  },
  conditional: JSON.parse(`{
    "type": "object",
    "required": ["country"],
    "properties": { "country": { "enum": ["US", "CA"] }, "zip": { "type": "string" } },
    "if": { "properties": { "country": { "const": "US" } } },
    "then": { "properties": { "zip": { "pattern": "^[0-9]{5}$" } }, "required": ["zip"] },
    "else": { "properties": { "zip": { "pattern": "^[A-Z][0-9][A-Z]" } } }
  }`) as JsonSchema,
  tree: {
    $id: "https://example.com/tree",
    $defs: {
      node: {
        type: "object",
        required: ["label"],
        properties: { label: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/node" } } },
        additionalProperties: false
      }
    },
    $ref: "#/$defs/node"
  },
  map: {
    type: "object",
    required: ["quantities"],
    properties: { quantities: { type: "object", additionalProperties: { type: "number" }, maxProperties: 3 } }
  },
  arrayRoot: { type: "array", items: { type: "string", minLength: 1 }, uniqueItems: true, maxItems: 3 },
  pairs: {
    type: "array",
    minItems: 2,
    uniqueItems: true,
    items: { type: "object", required: ["a", "b"], properties: { a: { type: "integer" }, b: nullable("string") } }
  },
  scalarRoot: { type: "string", enum: ["yes", "no", "unclear"] },
  numberRoot: { type: "number", multipleOf: 0.5, minimum: 0.5 },
  nullableEverything: {
    type: "object",
    additionalProperties: false,
    required: ["a", "b", "c", "d"],
    properties: {
      a: nullable("string"),
      b: nullable("number"),
      c: { oneOf: [{ type: "null" }, { type: "object", required: ["x"], properties: { x: { type: "integer" } } }] },
      d: { anyOf: [{ type: "array", items: { type: "string" }, minItems: 2 }, { type: "null" }] }
    }
  },
  optionalMinItems: {
    type: "object",
    properties: { steps: { type: "array", minItems: 3, items: { type: "string" } } }
  },
  requiredMinItems: {
    type: "object",
    required: ["steps"],
    properties: { steps: { type: "array", minItems: 3, items: { type: "string", minLength: 1 } } }
  },
  dependent: {
    type: "object",
    properties: { card: { type: "string" }, billing: { type: "string" }, name: { type: "string" } },
    dependentRequired: { card: ["billing"] },
    dependentSchemas: { name: { required: ["card"] } },
    minProperties: 1
  },
  contains: {
    type: "object",
    required: ["roles"],
    properties: { roles: { type: "array", items: { type: "string" }, contains: { const: "host" }, maxContains: 1 } }
  },
  tuple: {
    type: "array",
    prefixItems: [{ type: "string" }, { type: "integer", minimum: 1 }],
    items: false,
    minItems: 2
  },
  patternNames: {
    type: "object",
    patternProperties: { "^x_": { type: "integer" } },
    propertyNames: { maxLength: 6 },
    additionalProperties: false,
    minProperties: 1
  },
  oddNames: {
    type: "object",
    required: ["a/b", "m~n", ""],
    properties: {
      "a/b": { type: "string" },
      "m~n": { type: "integer" },
      "": { type: "boolean" },
      constructor: { type: "string" }
    },
    additionalProperties: false
  },
  ownProto: JSON.parse(
    `{"type":"object","required":["__proto__"],"properties":{"__proto__":{"type":"object","required":["x"],"properties":{"x":{"type":"string"}}}}}`
  ) as JsonSchema,
  formats: {
    type: "object",
    required: ["site", "mail", "day", "id"],
    properties: {
      site: { type: "string", format: "uri" },
      mail: { type: "string", format: "email" },
      day: { type: "string", format: "date" },
      id: { type: "string", format: "uuid" }
    }
  },
  draft04: {
    $schema: "http://json-schema.org/draft-04/schema#",
    type: "object",
    required: ["score"],
    properties: { score: { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 10 } },
    dependencies: { score: ["judge"] }
  },
  defaults: {
    type: "object",
    required: ["language", "version", "level"],
    properties: {
      language: { type: "string", default: "en" },
      version: { const: 2 },
      level: { enum: ["beginner"] },
      style: { type: "string", default: "plain" }
    }
  },
  not: { type: "object", required: ["code"], properties: { code: { type: "string", not: { enum: ["", "a", "b"] } } } },
  anything: true,
  untyped: { properties: { a: { items: { type: "number" } } }, required: ["a", "b"] }
}
