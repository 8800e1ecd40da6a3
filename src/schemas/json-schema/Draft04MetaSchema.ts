const counted = { type: "integer", minimum: 0 }
const names = { type: "array", minItems: 1, uniqueItems: true, items: { type: "string" } }
const schema = { $ref: "#/$defs/schema" }
const schemas = { type: "array", minItems: 1, items: schema }
const bySchema = { type: "object", additionalProperties: schema }
const type = { enum: ["array", "boolean", "integer", "null", "number", "object", "string"] }

/** What draft-04 (draft-zyp-json-schema-04, draft-fge-json-schema-validation-00) asks of a schema, told in 2020-12. */
export const draft04MetaSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $ref: "#/$defs/schema",
  $defs: {
    schema: {
      type: "object",
      properties: {
        id: { type: "string" },
        $schema: { type: "string" },
        $ref: { type: "string" },
        title: { type: "string" },
        description: { type: "string" },
        format: { type: "string" },
        multipleOf: { type: "number", exclusiveMinimum: 0 },
        maximum: { type: "number" },
        exclusiveMaximum: { type: "boolean" },
        minimum: { type: "number" },
        exclusiveMinimum: { type: "boolean" },
        maxLength: counted,
        minLength: counted,
        pattern: { type: "string" },
        additionalItems: { anyOf: [{ type: "boolean" }, schema] },
        items: { anyOf: [schema, schemas] },
        maxItems: counted,
        minItems: counted,
        uniqueItems: { type: "boolean" },
        maxProperties: counted,
        minProperties: counted,
        required: names,
        additionalProperties: { anyOf: [{ type: "boolean" }, schema] },
        definitions: bySchema,
        properties: bySchema,
        patternProperties: bySchema,
        dependencies: { type: "object", additionalProperties: { anyOf: [schema, names] } },
        enum: { type: "array", minItems: 1, uniqueItems: true },
        type: { anyOf: [type, { type: "array", minItems: 1, uniqueItems: true, items: type }] },
        allOf: schemas,
        anyOf: schemas,
        oneOf: schemas,
        not: schema
      },
      dependentRequired: { exclusiveMaximum: ["maximum"], exclusiveMinimum: ["minimum"] }
    }
  }
} as const
