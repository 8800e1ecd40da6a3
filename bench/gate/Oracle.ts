import type { Schema } from "effect"
import { leavesOf } from "../../workers/extraction/text/InstanceLeaves.ts"
import type { FootageRecord } from "../extraction/FootageRecord.ts"

/** One proposal in the form that models are asked for. */
export interface OracleProposal {
  readonly path: string
  readonly item: string | null
  readonly value: Schema.Json
  readonly quote: string
  readonly refs: ReadonlyArray<number>
}

interface ShownLine {
  readonly number: number
  readonly seconds: number
  readonly text: string
}

/** What a prompt shows: its numbered lines and the fields that it asks for. */
export const readPrompt = (prompt: string) => {
  const lines = prompt.split("\n")
  const shown = lines.flatMap((line): ReadonlyArray<ShownLine> => {
    const [, number, minutes, seconds, text] = /^\[(\d+)\|[^|\]]*\|(\d+):(\d\d)\] (.*)$/u.exec(line) ?? []
    return text === undefined ? [] : [{ number: Number(number), seconds: Number(minutes) * 60 + Number(seconds), text }]
  })
  return { shown, paths: new Set(lines.flatMap((line) => /^- (\S+):/u.exec(line)?.[1] ?? [])) }
}

const plain = (text: string): string => text.trim().replaceAll(/\s+/gu, " ")

/** A pointer into the right result as the template of its field, with the entry of each array that it passes. */
const templated = (gold: unknown, pointer: string): { readonly path: string; readonly item: string | null } => {
  let at = gold
  const path: Array<string> = []
  const entries: Array<string> = []
  for (const part of pointer.split("/").slice(1)) {
    if (Array.isArray(at)) {
      path.push("*")
      entries.push(`entry ${part}`)
    } else path.push(part)
    at = (at as Readonly<Record<string, unknown>>)[part.replaceAll("~1", "/").replaceAll("~0", "~")]
  }
  return { path: path.map((part) => `/${part}`).join(""), item: entries.length === 0 ? null : entries.join("/") }
}

/**
 * What a model says that knows the right result of a video and where it is said: a proposal for each leaf that it is asked for,
 * with a line that it is shown as quote, the one that holds the value where one does.
 */
export const oracle = (record: FootageRecord): (prompt: string) => ReadonlyArray<OracleProposal> => {
  const lines = new Map([...record.segments, ...record.ocr].map((line) => [line.id, line]))
  const leaves = Array.from(leavesOf(record.gold), ({ pointer, value }) => ({
    ...templated(record.gold, pointer),
    value,
    evidence: (record.evidence[pointer] ?? []).flatMap((id) => lines.get(id) ?? [])
  }))
  return (prompt) => {
    const { paths, shown } = readPrompt(prompt)
    return leaves.flatMap(({ evidence, item, path, value }): ReadonlyArray<OracleProposal> => {
      if (!paths.has(path)) return []
      const cited = evidence.flatMap(({ t0, text }) => {
        const same = shown.filter((line) => line.text.includes(plain(text)))
        return same.toSorted((a, b) => Math.abs(a.seconds - (t0 ?? 0)) - Math.abs(b.seconds - (t0 ?? 0))).slice(0, 1)
      })
      const wanted = String(value).toLowerCase()
      const quoted = cited.find(({ text }) => text.toLowerCase().includes(wanted)) ?? cited[0]
      if (quoted === undefined) return []
      return [{ path, item, value, quote: quoted.text, refs: Array.from(new Set(cited.map(({ number }) => number))) }]
    })
  }
}
