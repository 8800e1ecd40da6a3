import { existsSync, readFileSync } from "node:fs"
import type { Template } from "../../../src/schemas/Templates.ts"
import { extract, type Extracted } from "../../../workers/extraction/Extract.ts"
import { type Footage, footage, inputOf, type Shown, type Turn } from "../../workers/extraction/Footage.ts"

/** What is said and shown, as one would write it down: `source.json`. */
interface Source {
  readonly about: string
  readonly seconds: number
  readonly turns: ReadonlyArray<Turn>
  readonly shown: ReadonlyArray<Shown>
}

/** `[source_ref, quote]`. */
type Cited = readonly [source_ref: string, quote: string]

/** What is true of the source, checked by hand: `golden.json`. */
interface Golden {
  /** The built-in extractor's result: each value in it is said or shown in just that sense. */
  readonly result: unknown
  /** Pointer of each leaf that is not null → its source and the words in the quote that carry it. */
  readonly evidence: Readonly<Record<string, Cited>>
  /** What the source says as well and the built-in extractor does not give: a pointer, `-` for a further entry of a list. */
  readonly missed: ReadonlyArray<{ readonly pointer: string; readonly value: unknown; readonly cited: Cited }>
  /** What is said, but not in the sense that the pointer asks for: no evidence at or below it may quote these words. */
  readonly traps: ReadonlyArray<{ readonly pointer: string; readonly cited: Cited; readonly why: string }>
  /** Pointers, with `*` for indexes, that videos of other sorts may rightly fill → why. */
  readonly general: Readonly<Record<string, string>>
}

export interface TemplateExample {
  readonly template: Template
  readonly source: Source
  readonly golden: Golden
}

const parsed = (name: string, file: string) =>
  JSON.parse(readFileSync(new URL(`./${name}/${file}.json`, import.meta.url), "utf8"))

/** The example of a template, or undefined where it has none. */
export const exampleOf = (template: Template): TemplateExample | undefined =>
  existsSync(new URL(`./${template.name}/source.json`, import.meta.url))
    ? { template, source: parsed(template.name, "source"), golden: parsed(template.name, "golden") }
    : undefined

export const footageOf = ({ source: { seconds, shown, turns } }: TemplateExample): Footage =>
  footage(turns, shown, seconds)

export const extractTemplate = ({ json_schema }: Template, film: Footage): Extracted =>
  extract(inputOf(json_schema, film))
