import { LONG, type TextBox } from "./TextBox.ts"

const tuning = {
  /** Boxes of one line share this much of the lower one's height and differ in height by no more than this factor. */
  shared_height: 0.6,
  height_ratio: 1.6,
  /** Distance between two boxes of one line, in heights. Boxes have margins, so words of one line overlap or touch. */
  distance: 0.3,
  /** Radians: tilted boxes are joined only with boxes of their own tilt. */
  angle: 0.02
} as const

const runsDown = ({ angle, height, width }: TextBox): boolean => angle === 0 && height >= LONG * width

/** Seen with the picture's axes swapped: a line that runs down lies. */
const swapped = (box: TextBox): TextBox => ({ ...box, x: box.y, y: box.x, width: box.height, height: box.width })

const sameLine = (a: TextBox, b: TextBox): boolean =>
  runsDown(a) && runsDown(b) ? alongOneLine(swapped(a), swapped(b)) : alongOneLine(a, b)

const alongOneLine = (a: TextBox, b: TextBox): boolean => {
  const low = Math.min(a.height, b.height)
  if (Math.max(a.height, b.height) > tuning.height_ratio * low || Math.abs(a.angle - b.angle) > tuning.angle) {
    return false
  }
  // Both seen along the first one's direction.
  const cos = Math.cos(a.angle)
  const sin = Math.sin(a.angle)
  const along = Math.abs((b.x - a.x) * cos + (b.y - a.y) * sin)
  const across = Math.abs((b.y - a.y) * cos - (b.x - a.x) * sin)
  const shared = (a.height + b.height) / 2 - across
  const apart = along - (a.width + b.width) / 2
  return shared >= tuning.shared_height * low && apart <= tuning.distance * low
}

const merged = (a: TextBox, b: TextBox): TextBox => {
  const cos = Math.cos(a.angle)
  const sin = Math.sin(a.angle)
  const extent = [a, b].map((box) => {
    const along = box.x * cos + box.y * sin
    const across = box.y * cos - box.x * sin
    return {
      left: along - box.width / 2,
      right: along + box.width / 2,
      top: across - box.height / 2,
      bottom: across + box.height / 2
    }
  })
  const left = Math.min(...extent.map((one) => one.left))
  const right = Math.max(...extent.map((one) => one.right))
  const top = Math.min(...extent.map((one) => one.top))
  const bottom = Math.max(...extent.map((one) => one.bottom))
  const along = (left + right) / 2
  const across = (top + bottom) / 2
  return {
    x: along * cos - across * sin,
    y: along * sin + across * cos,
    width: right - left,
    height: bottom - top,
    angle: a.angle,
    score: (a.score * a.width + b.score * b.width) / (a.width + b.width)
  }
}

/**
 * Joins boxes that cut one line into pieces: the detector does so with large type, also inside of a word. What is left
 * has no two boxes of one line that overlap or touch; columns and table cells stay apart. Pure.
 */
export const joinBoxes = (boxes: ReadonlyArray<TextBox>): ReadonlyArray<TextBox> => {
  const rest = [...boxes]
  const out: Array<TextBox> = []
  for (let box = rest.shift(); box !== undefined; box = rest.shift()) {
    const current = box
    const other = rest.findIndex((one) => sameLine(current, one))
    if (other < 0) out.push(current)
    else rest.push(merged(current, rest.splice(other, 1)[0]!))
  }
  return out
}
