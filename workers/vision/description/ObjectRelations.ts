import type { ObjectName } from "../../../src/artifacts/ObjectNames.ts"
import type { FoundObject } from "../objects/ObjectPeaks.ts"

/** What somebody sits or lies on, what somebody rides, and what somebody stands on. */
const seats = new Set<ObjectName>(["chair", "couch", "bed", "bench", "toilet"])
const mounts = new Set<ObjectName>(["bicycle", "motorcycle", "horse", "elephant"])
const boards = new Set<ObjectName>(["skateboard", "surfboard", "snowboard", "skis"])
const living = new Set<ObjectName>(["person", "cat", "dog", "teddy bear"])
/** What stands or lies on a table. */
const onTables = new Set<ObjectName>(
  ("bottle,wine glass,cup,fork,knife,spoon,bowl,banana,apple,sandwich,orange,broccoli,carrot,hot dog,pizza,donut,cake,laptop,mouse,"
    + "keyboard,cell phone,book,vase,potted plant").split(",") as ReadonlyArray<ObjectName>
)

const tuning = {
  /** Share of the narrower one's width that two things have in common where one is on the other. */
  above: 0.6,
  /** Share of a seat that whoever sits there covers; whoever stands before it is more than this many times as high. */
  seated: 0.3,
  standing: 2,
  /** Share of its height by which a thing may reach beyond the lower edge of what it is on. */
  overhang: 0.1,
  /** Things beside each other share this much of the lower one's height and are apart by at most this much of the narrower one. */
  beside: 0.5,
  apart: 0.5,
  overlapping: 0.2,
  /** Of two that differ more in height one is far behind the other. */
  height_ratio: 3
} as const

const width = ({ left, right }: FoundObject) => right - left
const height = ({ bottom, top }: FoundObject) => bottom - top
const across = (a: FoundObject, b: FoundObject) => Math.min(a.right, b.right) - Math.max(a.left, b.left)
const down = (a: FoundObject, b: FoundObject) => Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)

const isOver = (a: FoundObject, b: FoundObject): boolean =>
  across(a, b) >= tuning.above * Math.min(width(a), width(b)) && a.top < b.top

/** Whether the boxes say that one thing is on another, by what the two are. Where they could say something else, it is not. */
export const isOn = (a: FoundObject, b: FoundObject): boolean => {
  if (!isOver(a, b)) return false
  const ends = a.bottom <= b.bottom + tuning.overhang * height(a)
  if (onTables.has(a.name)) return b.name === "dining table" && a.bottom > b.top && a.bottom < b.bottom
  if (!living.has(a.name)) return false
  if (seats.has(b.name)) {
    return ends && down(a, b) >= tuning.seated * height(b) && height(a) <= tuning.standing * height(b)
  }
  if (mounts.has(b.name)) return a.name === "person" && a.bottom <= b.bottom && a.bottom > b.top
  return a.name === "person" && boards.has(b.name) && a.bottom > b.top - height(b) && ends
}

/** Whether two things stand beside each other at one distance from the camera, as far as boxes tell. */
export const isBeside = (a: FoundObject, b: FoundObject): boolean => {
  const [low, high] = [Math.min(height(a), height(b)), Math.max(height(a), height(b))]
  const shared = across(a, b)
  const narrow = Math.min(width(a), width(b))
  return high <= tuning.height_ratio * low && down(a, b) >= tuning.beside * low &&
    shared <= tuning.overlapping * narrow && shared >= -tuning.apart * narrow
}
