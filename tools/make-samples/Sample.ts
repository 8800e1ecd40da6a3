/** One line of text on a slide, at its baseline, in pixels of a 1280x720 picture. */
export interface Line {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly size: number
  readonly fill: string
  readonly bold?: boolean
}

/** What is seen while its sentences are spoken. The first line is the title. */
export interface Slide {
  readonly background: string
  /** SVG shapes without text, drawn below the lines. */
  readonly shapes: string
  readonly lines: ReadonlyArray<Line>
  readonly spoken: ReadonlyArray<{ readonly speaker: string; readonly text: string }>
}

/** A value that a result must or may hold. Its moment is from the first to the last of `slides`, counted from 1. */
interface Fact {
  /** JSON pointer into the result in which `*` stands for any index. */
  readonly pointer: string
  readonly value: string | number
  readonly must: boolean
  readonly slides: readonly [first: number, last: number]
  readonly where: "speech" | "screen" | "both"
}

export interface Sample {
  readonly name: string
  readonly template: string
  readonly speakers: Readonly<Record<string, { readonly name: string; readonly voice: "slt" | "rms" }>>
  readonly slides: ReadonlyArray<Slide>
  readonly facts: ReadonlyArray<Fact>
}
