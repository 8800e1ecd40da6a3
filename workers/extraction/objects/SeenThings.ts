import { type Frames, onScreen } from "../../../src/artifacts/Frames.ts"
import type { Vision } from "../../../src/artifacts/Vision.ts"
import type { Passage } from "../text/SourceDocument.ts"
import { tokenise } from "../text/Tokens.ts"

type Box = readonly [x: number, y: number, width: number, height: number]

/** One thing on one kept frame. */
export interface SeenThing {
  readonly name: string
  readonly score: number
  readonly box: Box
  readonly source_ref: string
  readonly timestamp: number
  /** Its name as what can be quoted, with the box that it fills. In no list of passages: nobody said it. */
  readonly passage: Passage
}

/** Things on kept frames, frame by frame in time order. */
export const thingsSeen = (vision: Vision, frames: Frames): ReadonlyArray<SeenThing> => {
  const moments = onScreen(frames)
  return vision.frames.toSorted((a, b) => a.timestamp - b.timestamp).flatMap(({ labels, source_ref, timestamp }) =>
    labels.flatMap(({ box, confidence: score, name }): ReadonlyArray<SeenThing> => {
      if (box === undefined) return []
      const { t_end, t_start } = moments.get(source_ref) ?? { t_start: timestamp, t_end: timestamp }
      const [left, top, , height] = box
      const passage: Passage = {
        index: -1,
        source_ref,
        channel: "vision",
        modality: "visual",
        speaker: null,
        t_start,
        t_end,
        text: name,
        tokens: tokenise(name),
        timings: [{ from: 0, to: name.length, t_start, t_end, confidence: 1 }],
        line: { text: name, left, top, page_top: top, height, box, confidence: score, heading: false }
      }
      return [{ name, score, box, source_ref, timestamp, passage }]
    })
  )
}

/** Score of the detector from which something counts as evidence: of 51 kinds that reached it on labelled pictures 49 were there. */
export const SURE = 0.5

/** Boxes of two frames that share more than this are of the same thing, if it has not moved far. */
const SAME_PLACE = 0.3

const overlap = ([ax, ay, aw, ah]: Box, [bx, by, bw, bh]: Box): number => {
  const across = Math.max(0, Math.min(ax + aw, bx + bw) - Math.max(ax, bx))
  const down = Math.max(0, Math.min(ay + ah, by + bh) - Math.max(ay, by))
  const shared = across * down
  const all = aw * ah + bw * bh - shared
  return all <= 0 ? 0 : shared / all
}

/** How many things were seen: most of them on one frame, and as many as places where one was. */
export interface Counted<Thing> {
  /** Those of the frame that shows most of them, the surest of such frames. */
  readonly most_at_once: ReadonlyArray<Thing>
  /**
   * No fewer places than things at one moment: where it is more, they came one after another, moved, or the camera did. Which
   * of them are the same nobody can tell here.
   */
  readonly places: number
}

/** Counts things that are all of one question. Pure. */
export const counted = <Thing extends Pick<SeenThing, "score" | "box" | "source_ref">>(
  things: ReadonlyArray<Thing>
): Counted<Thing> => {
  const byFrame = [...Map.groupBy(things, ({ source_ref }) => source_ref).values()]
  const surest = (some: ReadonlyArray<Thing>) => Math.min(...some.map(({ score }) => score))
  const most_at_once = byFrame.toSorted((a, b) => b.length - a.length || surest(b) - surest(a))[0] ?? []
  const places: Array<Box> = []
  for (const some of byFrame) {
    const free = new Set(places.keys())
    for (const { box } of some) {
      const [at] = [...free].filter((place) => overlap(places[place]!, box) > SAME_PLACE)
        .toSorted((a, b) => overlap(places[b]!, box) - overlap(places[a]!, box))
      if (at === undefined) places.push(box)
      else {
        free.delete(at)
        places[at] = box
      }
    }
  }
  return { most_at_once, places: places.length }
}

/** What is surely seen of each kind over the whole source, those of which there are most first. Pure. */
export const kindsSeen = (vision: Pick<Vision, "frames">): NonNullable<Vision["kinds"]> => {
  const things = vision.frames.flatMap(({ labels, source_ref, timestamp }) =>
    labels.flatMap(({ box, confidence: score, name }) =>
      box === undefined || score < SURE ? [] : [{ name, score, box, source_ref, timestamp }]
    )
  )
  return [...Map.groupBy(things, ({ name }) => name)].map(([name, some]) => {
    const { most_at_once, places } = counted(some)
    const moments = some.map(({ timestamp }) => timestamp)
    return {
      name,
      most_at_once: most_at_once.length,
      places,
      frames: new Set(some.map(({ source_ref }) => source_ref)).size,
      t_start: Math.min(...moments),
      t_end: Math.max(...moments)
    }
  }).toSorted((a, b) => b.frames - a.frames || b.places - a.places || (a.name < b.name ? -1 : 1))
}
