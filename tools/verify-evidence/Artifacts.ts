import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

export interface Moment {
  readonly t_start: number
  readonly t_end: number
}

export interface Citation extends Moment {
  readonly origin_channel?: string
  readonly source_ref: string
  readonly quote: string
  readonly media_fragment: string
}

/** A place that a value rests on, and what it is to the value. */
interface RestsOn extends Citation {
  readonly role: string
}

export interface Span extends Citation {
  readonly pointer: string
  readonly value: unknown
  readonly origin: string
  readonly origin_channel: string
  readonly modality: string
  readonly node_id: string | null
  readonly frame_id?: string
  readonly support: string
  readonly confidence: number | null
  readonly verified: boolean
  readonly corroborated_by: ReadonlyArray<Citation>
  readonly alternatives: ReadonlyArray<Citation & { readonly value: unknown }>
  readonly grade: string
  readonly citations: ReadonlyArray<RestsOn>
  readonly checks: {
    readonly quoted: boolean
    readonly derivable: boolean | null
    readonly answers: number | null
    readonly judged_by: string | null
  }
  readonly proposed_by: string
  readonly formula?: string
}

export interface Segment extends Moment {
  readonly id: string
  readonly origin: string
  readonly speaker: string | null
  readonly text: string
  readonly words: ReadonlyArray<Moment & { readonly text: string }>
}

export interface Frame {
  readonly id: string
  readonly source_ref: string
  readonly timestamp: number
  readonly cluster: number
  readonly phash: string
  readonly kept: boolean
}

export interface GraphNode {
  readonly id: string
  readonly kind: string
  readonly label: string
  readonly source_refs: ReadonlyArray<string>
}

/** What `npm run extract -- … --out DIR` leaves in DIR, as far as it matters here. */
export interface Artifacts {
  readonly folder: string
  readonly job: { readonly result?: unknown }
  readonly result: unknown
  readonly schema: unknown
  readonly transcript: {
    readonly duration_seconds: number
    readonly segments: ReadonlyArray<Segment>
    readonly speakers: ReadonlyArray<{ readonly id: string; readonly label: string }>
  }
  readonly frames: { readonly frames: ReadonlyArray<Frame> }
  readonly vision: {
    readonly frames: ReadonlyArray<{
      readonly source_ref: string
      readonly description: string
      readonly text: ReadonlyArray<{ readonly text: string; readonly box: ReadonlyArray<number> }>
      readonly labels?: ReadonlyArray<{ readonly name: string; readonly box?: ReadonlyArray<number> }>
    }>
  }
  readonly graph: { readonly nodes: ReadonlyArray<GraphNode> }
  readonly evidence: {
    readonly spans: ReadonlyArray<Span>
    readonly unfilled: ReadonlyArray<{
      readonly pointer: string
      readonly reason: string
      readonly candidates: ReadonlyArray<{ readonly quote: string; readonly source_ref: string | null }>
    }>
    readonly counts: {
      readonly leaves: number
      readonly filled: number
      readonly verified: number
      readonly unfilled: number
    }
  }
}

const names = ["job", "result", "schema", "transcript", "frames", "vision", "graph", "evidence"] as const

/** Reads the folder. Throws an error that names the file which is missing or is not JSON. */
export const readArtifacts = (folder: string): Artifacts => {
  const read = (name: string): unknown => {
    const path = join(folder, `${name}.json`)
    if (!existsSync(path)) throw new Error(`${path} is missing`)
    try {
      return JSON.parse(readFileSync(path, "utf8"))
    } catch {
      throw new Error(`${path} is not JSON`)
    }
  }
  const contents = Object.fromEntries(names.map((name) => [name, read(name)]))
  return { folder, ...contents } as unknown as Artifacts
}

/** Whether the kept frame's picture is there and is a JPEG from its first marker to its last. */
export const hasImage = (folder: string, frame: Frame): boolean => {
  const path = join(folder, "frames", `${frame.id}.jpg`)
  if (!existsSync(path)) return false
  const bytes = readFileSync(path)
  return bytes.length > 4 && bytes.readUInt16BE(0) === 0xff_d8 && bytes.readUInt16BE(bytes.length - 2) === 0xff_d9
}
