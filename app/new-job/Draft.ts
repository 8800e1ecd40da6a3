import { computed, signal } from "@preact/signals"
import type { CreateJob, ErrorDetail } from "../../clients/typescript/src/generated/types.ts"
import type { Uploading } from "../service/Uploading.ts"

export type SourceKind = "file" | "address" | "sample"
export type SchemaKind = "template" | "saved" | "written" | "inferred"

const words = (text: string): Array<string> =>
  text.split(/[,\n]/u).map((word) => word.trim()).filter((word) => word !== "")

const count = (text: string): number | undefined => text.trim() === "" ? undefined : Number(text)

/** Lines `name: value`; one without a colon is a name without a value. */
const pairs = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split("\n").map((line) => line.trim()).filter((line) => line !== "").map((line) => {
      const colon = line.indexOf(":")
      return colon === -1 ? [line, ""] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
    })
  )

/** What somebody is about to submit. */
export class Draft {
  readonly sourceKind = signal<SourceKind>("file")
  readonly uploading = signal<Uploading | null>(null)
  readonly address = signal("")
  readonly sample = signal("sample://product-demo")
  readonly schemaKind = signal<SchemaKind>("template")
  readonly template = signal("sch_template_default")
  readonly saved = signal("")
  readonly written = signal(`{
  "type": "object",
  "properties": {
    "topic": { "type": "string", "description": "What the footage is about." }
  }
}
`)
  readonly example = signal(`{ "speaker": "Ada Lovelace", "decisions": ["Ship on Friday"] }`)
  readonly title = signal("")
  readonly precision = signal<"strict" | "balanced">("strict")
  readonly speakers = signal("")
  readonly participants = signal("")
  readonly vocabulary = signal("")
  readonly language = signal("")
  readonly recorded = signal("")
  readonly instructions = signal("")
  readonly destinations = signal<ReadonlyArray<string>>([])
  readonly webhook = signal("")
  /** As lines `name: value`. */
  readonly metadata = signal("")
  /** Empty: whatever the deployment has for its own. */
  readonly stack = signal("")
  /** What the service said of the last submission, by the fields of the request. */
  readonly details = signal<ReadonlyArray<ErrorDetail>>([])
  readonly problem = signal<{ readonly code: string; readonly message: string } | null>(null)

  readonly source_uri = computed(() =>
    this.sourceKind.value === "file"
      ? this.uploading.value?.source_uri.value ?? null
      : this.sourceKind.value === "address"
      ? this.address.value.trim() || null
      : this.sample.value
  )

  /** Where the schema itself is at fault, the pointers lead into it and not into the request. */
  readonly schemaDetails = computed(() => (this.problem.value?.code === "SCHEMA_INVALID" ? this.details.value : []))

  /** What is wrong with one field of the request, as the service said it. */
  problemOf(field: string): string | null {
    if (this.problem.value?.code === "SCHEMA_INVALID") return null
    return this.details.value.find(({ path }) => path === `/${field}` || path.startsWith(`/${field}/`))?.message ?? null
  }

  /** Throws a `SyntaxError` where a written schema is not JSON. */
  request(): CreateJob | null {
    const source_uri = this.source_uri.value
    if (source_uri === null) return null
    const kind = this.schemaKind.value
    const num_speakers = count(this.speakers.value)
    const metadata = pairs(this.metadata.value)
    const [participants, vocabulary] = [words(this.participants.value), words(this.vocabulary.value)]
    const hints = {
      ...(num_speakers === undefined ? {} : { num_speakers }),
      ...(participants.length === 0 ? {} : { participants }),
      ...(vocabulary.length === 0 ? {} : { vocabulary }),
      ...(this.language.value.trim() === "" ? {} : { language: this.language.value.trim() }),
      ...(this.recorded.value === "" ? {} : { recorded_at: this.recorded.value })
    }
    return {
      source_uri,
      ...(kind === "template" || kind === "saved"
        ? { schema_id: kind === "template" ? this.template.value : this.saved.value }
        : { schema_inline: JSON.parse(this.written.value) as Record<string, unknown> }),
      ...(this.title.value.trim() === "" ? {} : { title: this.title.value.trim() }),
      precision: this.precision.value,
      ...(Object.keys(hints).length === 0 ? {} : { hints }),
      ...(this.instructions.value.trim() === "" ? {} : { instructions: this.instructions.value.trim() }),
      ...(this.destinations.value.length === 0 ? {} : { destination_ids: [...this.destinations.value] }),
      ...(this.webhook.value.trim() === "" ? {} : { webhook_url: this.webhook.value.trim() }),
      ...(this.stack.value === "" ? {} : { model_stack: this.stack.value }),
      ...(Object.keys(metadata).length === 0 ? {} : { metadata })
    }
  }
}
