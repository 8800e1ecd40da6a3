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

/**
 * Mean probability of a line's characters from which it is text in a view: captions over a real clip had 0.96 and more, what was read in foliage and
 * roofs 0.65 to 0.74. A lone sign of a syllable or word, which a twig looks like, was read at 0.90.
 */
const LEAST_IN_VIEW = 0.8
const LEAST_SIGN_IN_VIEW = 0.95

const isLegible = ({ confidence, text }: { readonly text: string; readonly confidence: number }): boolean =>
  SYLLABIC.test(text)
    ? confidence >= (Array.from(text).length === 1 ? LEAST_SIGN_IN_VIEW : LEAST_IN_VIEW)
    : confidence >= LEAST_IN_VIEW && !LONE_LETTER.test(text)

/** What of the lines that were read on a frame of this type may be told: no single letter of a view of the world, and nothing that is doubtful there. Pure. */
export const legibleOn = <Line extends { readonly text: string; readonly confidence: number }>(
  lines: ReadonlyArray<Line>,
  { type }: TypedFrame
): ReadonlyArray<Line> => type !== null && views.has(type) ? lines.filter(isLegible) : lines

/** What of the things that were found on a frame of this type may be said. Pure. */
export const objectsOn = (found: ReadonlyArray<FoundObject>, { type }: TypedFrame): ReadonlyArray<FoundObject> =>
  type !== null && pages.has(type) ? found.filter(({ score }) => score >= LEAST_ON_PAGE) : found
