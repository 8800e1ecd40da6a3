import { useState } from "preact/hooks"
import type { ExtractionSchema, InferredSchema, SchemaSummary } from "../../clients/typescript/src/generated/types.ts"
import { SchemaEditor } from "../editor/SchemaEditor.tsx"
import type { Json } from "../footnotes/ResultData.ts"
import { Field } from "../parts/Field.tsx"
import { NotHere, useLoaded } from "../parts/Loading.tsx"
import { Segmented } from "../parts/Segmented.tsx"
import { all } from "../service/Pages.ts"
import { call, get, messageOf } from "../service/Service.ts"
import type { Draft } from "./Draft.ts"
import { FieldsPreview } from "./FieldsPreview.tsx"

function Preview({ id }: { readonly id: string }) {
  const { loaded } = useLoaded(() => get<ExtractionSchema>(`/v1/schemas/${encodeURIComponent(id)}`), [id])
  return loaded.kind === "here"
    ? <FieldsPreview json_schema={loaded.value.json_schema as Json} />
    : <NotHere loaded={loaded} />
}

interface PickProperties {
  readonly label: string
  readonly schemas: ReadonlyArray<SchemaSummary>
  readonly chosen: string
  readonly choose: (id: string) => void
  readonly problem: string | null
}

function Pick({ choose, chosen, label, problem, schemas }: PickProperties) {
  const picked = schemas.find(({ id }) => id === chosen) ?? schemas[0]
  if (picked === undefined) {
    return <p class="muted">There is none yet. A schema that is written can be saved on the Schemas screen.</p>
  }
  if (picked.id !== chosen) choose(picked.id)
  return (
    <>
      <Field id="schema-id" label={label} help={picked.description ?? undefined} problem={problem}>
        <select
          id="schema-id"
          value={picked.id}
          aria-describedby="schema-id-help schema-id-problem"
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {schemas.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
        </select>
      </Field>
      <Preview id={picked.id} />
    </>
  )
}

/** Turns the example into the written schema, which is then what the job is given. Throws a `SyntaxError` where it is not JSON. */
export const inferSchema = async (draft: Draft): Promise<void> => {
  const example = JSON.parse(draft.example.value) as unknown
  const { json_schema } = await call<InferredSchema>("POST", "/v1/schemas/infer", { examples: [example] })
  draft.written.value = `${JSON.stringify(json_schema, null, 2)}\n`
  draft.schemaKind.value = "written"
}

function Infer({ draft }: { readonly draft: Draft }) {
  const [problem, setProblem] = useState<string | null>(null)
  const infer = async () => {
    setProblem(null)
    try {
      await inferSchema(draft)
    } catch (error) {
      setProblem(error instanceof SyntaxError ? `The example is not JSON: ${error.message}` : messageOf(error))
    }
  }
  return (
    <>
      <Field
        id="schema-example"
        label="An example of the JSON that you want"
        problem={problem}
        help="Its names become fields and its values tell their types; what it says is not looked for."
      >
        <textarea
          id="schema-example"
          class="code"
          rows={8}
          spellcheck={false}
          value={draft.example.value}
          aria-describedby="schema-example-help schema-example-problem"
          onInput={(event) => (draft.example.value = event.currentTarget.value)}
        />
      </Field>
      <button type="button" class="secondary" onClick={() => void infer()}>Make a schema of it</button>
    </>
  )
}

const kinds = [["template", "Template"], ["saved", "Saved"], ["written", "Write"], ["inferred", "By example"]] as const

/** What is wanted of the footage. */
export function SchemaChoice({ draft }: { readonly draft: Draft }) {
  const { loaded } = useLoaded(() => all<SchemaSummary>("/v1/schemas"), [])
  const kind = draft.schemaKind.value
  const schemas = loaded.kind === "here" ? loaded.value : []
  return (
    <section class="step">
      <h2>Schema</h2>
      <Segmented label="Which schema" options={kinds} chosen={kind} choose={(one) => (draft.schemaKind.value = one)} />
      {loaded.kind !== "here" ? <NotHere loaded={loaded} /> : kind === "template"
        ? (
          <Pick
            label="Template"
            schemas={schemas.filter(({ is_template }) => is_template)}
            chosen={draft.template.value}
            choose={(id) => (draft.template.value = id)}
            problem={draft.problemOf("schema_id")}
          />
        )
        : kind === "saved"
        ? (
          <Pick
            label="Saved schema"
            schemas={schemas.filter(({ is_template }) => !is_template)}
            chosen={draft.saved.value}
            choose={(id) => (draft.saved.value = id)}
            problem={draft.problemOf("schema_id")}
          />
        )
        : kind === "written"
        ? <SchemaEditor text={draft.written} details={draft.schemaDetails.value} />
        : <Infer draft={draft} />}
    </section>
  )
}
