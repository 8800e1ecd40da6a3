import { Effect, Schema } from "effect"
import { page } from "../database/Page.ts"
import { ExtractionSchema, SchemaSummary } from "../schemas/ExtractionSchema.ts"
import { CreateSchema } from "../schemas/SchemaRequests.ts"
import { Schemas } from "../schemas/Schemas.ts"
import { listInput, pageOrAll } from "./ListInput.ts"
import { reads, tool } from "./Tool.ts"

const CreateInput = Schema.Struct({
  ...CreateSchema.fields,
  json_schema: Schema.Record(Schema.String, Schema.Json).annotate({
    description: "A JSON Schema: 2020-12 where `$schema` names no other draft."
  })
})

/** create_schema, get_schema and list_schemas. */
export const schemaTools = Effect.gen(function*() {
  const schemas = yield* Schemas

  return [
    tool("create_schema", {
      title: "Save a schema",
      description:
        "Register a JSON Schema for later calls of extract and get its schema_id. SCHEMA_INVALID says in `details` what is "
        + "wrong with it. Calling twice saves it twice.",
      hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
      input: CreateInput,
      output: Schema.Struct({ schema_id: Schema.String }),
      run: (args) => Effect.map(schemas.create(args), ({ id }) => ({ schema_id: id }))
    }),
    tool("get_schema", {
      title: "Read a schema",
      description: "One saved schema or shipped template with its whole JSON Schema in `json_schema`.",
      hints: reads,
      input: Schema.Struct({
        schema_id: Schema.String.annotate({ description: "`sch_…`, as list_schemas or create_schema gave it." })
      }),
      output: ExtractionSchema,
      run: ({ schema_id }) => schemas.get(schema_id)
    }),
    tool("list_schemas", {
      title: "List schemas",
      description:
        "The saved schemas, newest first, then the shipped templates: id, name, description and is_template. Take an id for "
        + "extract's schema_id. With a limit, `next_cursor` is the `cursor` that goes on.",
      hints: reads,
      input: listInput("sch", "a schema takes about 60 tokens"),
      output: page(SchemaSummary),
      run: (asked) => pageOrAll(asked, (page) => schemas.list(page))
    })
  ]
})
