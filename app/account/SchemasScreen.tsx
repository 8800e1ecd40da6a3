import { useSignal } from "@preact/signals"
import { useState } from "preact/hooks"
import type {
  ErrorDetail,
  ExtractionSchema,
  RegisteredSchema,
  SchemaSummary
} from "../../clients/typescript/src/generated/types.ts"
import { SchemaEditor } from "../editor/SchemaEditor.tsx"
import type { Json } from "../footnotes/ResultData.ts"
import { FieldsPreview } from "../new-job/FieldsPreview.tsx"
import { useDoing } from "../parts/Doing.ts"
import { Field } from "../parts/Field.tsx"
import { NotHere, useLoaded } from "../parts/Loading.tsx"
import { all } from "../service/Pages.ts"
import { call, get, Refused } from "../service/Service.ts"
import { Shell } from "../shell/Shell.tsx"

const first = `{
  "type": "object",
  "properties": {
    "topic": { "type": "string", "description": "What the footage is about." }
  }
}
`

function NewSchema({ saved }: { readonly saved: () => void }) {
  const text = useSignal(first)
  const [name, setName] = useState("")
  const [details, setDetails] = useState<ReadonlyArray<ErrorDetail>>([])
  const [warnings, setWarnings] = useState<RegisteredSchema["warnings"]>([])
  const { busy, problem, run } = useDoing()
  const save = () =>
    run(async () => {
      setDetails([])
      try {
        const { warnings } = await call<RegisteredSchema>("POST", "/v1/schemas", {
          name: name.trim(),
          json_schema: JSON.parse(text.value) as unknown
        })
        setWarnings(warnings)
        saved()
      } catch (error) {
        if (error instanceof Refused && error.code === "SCHEMA_INVALID") setDetails(error.details)
        throw error
      }
    })
  return (
    <form
      class="step"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <h2>A new schema</h2>
      <Field id="schema-name" label="Name" problem={problem}>
        <input
          id="schema-name"
          type="text"
          required
          value={name}
          aria-describedby="schema-name-problem"
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </Field>
      <SchemaEditor text={text} details={details} />
      <div role="status">
        {warnings.map(({ message, path }) => (
          <p key={path} class="small">
            <code>{path}</code> {message}
          </p>
        ))}
      </div>
      <div>
        <button class="primary" disabled={busy}>Save the schema</button>
      </div>
    </form>
  )
}

function SchemaRow({ removed, schema }: { readonly schema: SchemaSummary; readonly removed: () => void }) {
  const [whole, setWhole] = useState<ExtractionSchema | null>(null)
  const { busy, problem, run } = useDoing()
  return (
    <li class="job-row">
      <span class="status">{schema.is_template ? "template" : "saved"}</span>
      <span class="job-name">{schema.name}</span>
      <span class="facts">
        <span>{schema.description ?? schema.id}</span>
      </span>
      <span class="row-tools">
        <button
          type="button"
          class="quiet"
          aria-expanded={whole !== null}
          disabled={busy}
          onClick={() =>
            void run(async () =>
              setWhole(whole === null ? await get<ExtractionSchema>(`/v1/schemas/${schema.id}`) : null)
            )}
        >
          {whole === null ? "Show fields" : "Hide fields"}
          <span class="hidden">of {schema.name}</span>
        </button>
        {schema.is_template ? null : (
          <button
            type="button"
            class="quiet danger"
            disabled={busy}
            onClick={() =>
              void run(async () => {
                await call("DELETE", `/v1/schemas/${schema.id}`)
                removed()
              })}
          >
            Delete<span class="hidden">{schema.name}</span>
          </button>
        )}
      </span>
      <span class="problem" role="alert">{problem}</span>
      {whole === null ? null : (
        <div class="row-more">
          <FieldsPreview json_schema={whole.json_schema as Json} />
        </div>
      )}
    </li>
  )
}

/** The tenant's schemas and the templates, with what each asks for. */
export function SchemasScreen() {
  const { again, loaded } = useLoaded(() => all<SchemaSummary>("/v1/schemas"), [])
  return (
    <Shell title="Schemas">
      <NewSchema saved={again} />
      {loaded.kind !== "here" ? <NotHere loaded={loaded} /> : (
        <ul class="job-list">
          {loaded.value.toSorted((a, b) => Number(a.is_template) - Number(b.is_template)).map((schema) => (
            <SchemaRow key={schema.id} schema={schema} removed={again} />
          ))}
        </ul>
      )}
    </Shell>
  )
}
