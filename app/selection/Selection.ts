import { computed, signal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { chaptersOf } from "../footnotes/Chapters.ts"
import { type Heading, type Leaf, leavesOf, rowsOf } from "../footnotes/Leaves.ts"
import { type Box, boxOf } from "../footnotes/Moments.ts"
import type { Footage, ManifestSubjects, ResultData } from "../footnotes/ResultData.ts"
import { type Place, placesOf, speaks, type Supported, supportOf } from "../footnotes/Support.ts"
import { narrow } from "../parts/Narrow.ts"
import { Playback } from "../playback/Playback.ts"

/** A word or a frame that a person asks about. */
export interface Asked {
  readonly source_ref: string
  readonly says: string
  readonly supports: ReadonlyArray<Supported>
}

interface SpokenWord {
  readonly t_start: number
  readonly t_end: number
  readonly text: string
}

export type Panel = "values" | "transcript" | "frames" | "graph" | "json" | "record"

/** What is selected on the result screen, and what follows from it. */
export class Selection {
  readonly rows
  readonly leaves
  readonly support
  readonly chapters
  readonly playback: Playback
  readonly frameTimes: ReadonlyArray<number>
  readonly leaf = signal<Leaf | null>(null)
  readonly citation = signal(0)
  readonly asked = signal<Asked | null>(null)
  /** Takes the words that are clicked while somebody marks evidence; null where a click asks what rests on a word. */
  readonly pick = signal<((source_ref: string, word: SpokenWord) => void) | null>(null)
  /** Takes the part of the picture that somebody marks as evidence; null where nothing is being marked. */
  readonly draw = signal<((box: Box) => void) | null>(null)
  /** What can be done about a leaf, below its footnote; null where a result is only looked at. */
  readonly tools: ((leaf: Leaf) => ComponentChildren) | null
  /** What can be done about a list or a group as a whole, below its heading; null where a result is only looked at. */
  readonly headingTools: ((heading: Heading) => ComponentChildren) | null
  /** What can be done about the voices, beside the transcript; null where a result is only looked at. */
  readonly speakerTools: (() => ComponentChildren) | null
  readonly panel = signal<Panel>("transcript")
  /** What is searched for in the transcript. */
  readonly sought = signal("")
  /** Told where a selected place is to be scrolled to, also when it is selected again. */
  readonly reveal = signal(0)
  readonly places = computed<ReadonlyArray<Place>>(() => (this.leaf.value === null ? [] : placesOf(this.leaf.value)))
  readonly place = computed<Place | null>(() => this.places.value[this.citation.value] ?? null)
  readonly box = computed<Box | null>(() => {
    const place = this.place.value
    return place === null ? null : boxOf(place.media_fragment) ?? this.#lineBox(place)
  })

  readonly data: ResultData
  readonly footage: Footage
  readonly subjects: ManifestSubjects
  /** The address of a place on this page. */
  readonly addressOf: (pointer: string, citation: number) => string

  constructor(
    given:
      & Pick<Selection, "data" | "footage" | "subjects" | "addressOf">
      & Partial<Pick<Selection, "tools" | "headingTools" | "speakerTools">>
  ) {
    const { data, footage } = given
    this.data = data
    this.footage = footage
    this.subjects = given.subjects
    this.addressOf = given.addressOf
    this.tools = given.tools ?? null
    this.headingTools = given.headingTools ?? null
    this.speakerTools = given.speakerTools ?? null
    this.rows = rowsOf(data)
    this.leaves = leavesOf(this.rows)
    this.support = supportOf(this.leaves)
    const duration = data.job.source?.duration_seconds ?? data.transcript.duration_seconds
    this.chapters = chaptersOf(this.leaves, duration)
    this.frameTimes = data.frames.map(({ timestamp }) => timestamp)
    this.playback = new Playback(duration)
    if (footage.media_url === null) {
      this.playback.standIn(`${footage.absent}: kept frames and words stand in.`)
    }
  }

  /** Goes on where a person was on the result as it stood before: at their value, moment, panel and search. */
  resume(before: Selection): void {
    this.panel.value = before.panel.peek()
    this.sought.value = before.sought.peek()
    const { captions, muted, rate, time } = before.playback
    this.playback.captions.value = captions.peek()
    this.playback.setMuted(muted.peek())
    this.playback.setRate(rate.peek())
    const leaf = this.leaves.find(({ pointer }) => pointer === before.leaf.peek()?.pointer)
    if (leaf !== undefined) this.select(leaf, before.citation.peek())
    this.playback.seek(time.peek())
  }

  /** Shows a leaf at one of its places; `play` plays it once. */
  select(leaf: Leaf, citation = 0, play = false): void {
    this.asked.value = null
    this.leaf.value = leaf
    this.citation.value = citation
    this.reveal.value += 1
    const place = this.place.peek()
    if (place === null) return
    if (play) this.playback.playSpan(place)
    else this.playback.show(place)
  }

  /** Shows a leaf to somebody who comes from elsewhere: where there is room for one column only, in that of the values. */
  lead(leaf: Leaf, citation = 0): void {
    if (narrow.value) this.panel.value = "values"
    this.select(leaf, citation)
  }

  step(by: 1 | -1): void {
    const at = this.leaf.value?.index
    const leaf = this.leaves[at === undefined ? 0 : Math.min(Math.max(0, at + by), this.leaves.length - 1)]
    if (leaf !== undefined) this.select(leaf)
  }

  stepCitation(by: 1 | -1): void {
    const leaf = this.leaf.value
    const to = this.citation.value + by
    if (leaf !== null && to >= 0 && to < this.places.value.length) this.select(leaf, to)
  }

  playPlace(): void {
    const place = this.place.value
    if (place !== null) this.playback.playSpan(place)
  }

  askWord(source_ref: string, word: SpokenWord): void {
    if (this.pick.value !== null) return this.pick.value(source_ref, word)
    const supports = (this.support.get(source_ref) ?? []).filter(({ place }) => speaks(word, place))
    this.asked.value = { source_ref, says: `“${word.text}”`, supports }
    this.playback.seek(word.t_start)
  }

  askFrame(frame: { readonly source_ref: string; readonly timestamp: number }, says: string): void {
    this.asked.value = { source_ref: frame.source_ref, says, supports: this.support.get(frame.source_ref) ?? [] }
    this.playback.show({ t_start: frame.timestamp, t_end: frame.timestamp + 0.5 })
  }

  /** Where a held back value was read: its own words carry no box. */
  #lineBox({ quote, source_ref }: Place): Box | null {
    const lines = this.data.vision.find((frame) => frame.source_ref === source_ref)?.text ?? []
    // A quote of several lines holds each of them, one of a part of a line is in it.
    const read = quote === ""
      ? []
      : lines.filter(({ text }) => text !== "" && (quote.includes(text) || text.includes(quote)))
    if (read.length === 0) return null
    const left = Math.min(...read.map(({ box }) => box[0]))
    const top = Math.min(...read.map(({ box }) => box[1]))
    const right = Math.max(...read.map(({ box }) => box[0] + box[2]))
    const bottom = Math.max(...read.map(({ box }) => box[1] + box[3]))
    return { x: left * 100, y: top * 100, width: (right - left) * 100, height: (bottom - top) * 100 }
  }
}
