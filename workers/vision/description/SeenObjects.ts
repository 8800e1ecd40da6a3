import type { FoundObject } from "../objects/ObjectPeaks.ts"
import type { FrameType, TypedFrame } from "./FrameType.ts"

/** Frames that show no world: what looks like a thing in them is a glyph, an icon or a mark. They are not searched. */
const screens: ReadonlySet<FrameType> = new Set(["code", "terminal", "chart", "table"])

/** Pages that may hold a photograph, whose other marks look like things too: there only what is surest counts. */
const pages: ReadonlySet<FrameType> = new Set(["slide", "title_card"])
const LEAST_ON_PAGE = 0.5

/** Whether a frame is nothing but writing, by its type. */
export const isScreen = ({ type }: TypedFrame): boolean => type !== null && screens.has(type)

/** Views of the world, where an edge or a shadow is easily read as a letter. */
const views: ReadonlySet<FrameType> = new Set(["scene", "talking_head"])
const LONE_LETTER = /^[^\p{L}\p{N}]*\p{L}[^\p{L}\p{N}]*$/u
const SYLLABIC = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** What of the lines that were read on a frame of this type may be told: no single letter of a view of the world. Pure. */
export const legibleOn = <Line extends { readonly text: string }>(
  lines: ReadonlyArray<Line>,
  { type }: TypedFrame
): ReadonlyArray<Line> =>
  type !== null && views.has(type)
    ? lines.filter(({ text }) => SYLLABIC.test(text) || !LONE_LETTER.test(text))
    : lines

/** What of the things that were found on a frame of this type may be said. Pure. */
export const objectsOn = (found: ReadonlyArray<FoundObject>, { type }: TypedFrame): ReadonlyArray<FoundObject> =>
  type !== null && pages.has(type) ? found.filter(({ score }) => score >= LEAST_ON_PAGE) : found
