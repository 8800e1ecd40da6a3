import type { TiledPlane } from "../pixels/FrameTiles.ts"
import type { AnalysisSize } from "../pixels/LumaPlane.ts"

const tuning = {
  /** Side of the box, in tiles, whose mean is taken away: sky above ground is the same in every landscape. */
  around: 3,
  /** How wide the view is, in widths of the other. */
  scales: [0.56, 0.64, 0.72, 0.8, 0.9, 1, 1.12, 1.26, 1.42],
  /** Share of the view that the other must show for it to be another look at the same. */
  shared: 0.5,
  /** Correlation of what both show, from which it is. */
  alike: 0.6,
  /** The same on cells of half the side, where the words of two slides of one layout differ. */
  alike_closely: 0.6,
  /** Best places of the coarse search that are looked at closely. */
  tried: 4,
  /** Share of the picture by which a camera that stands seems to move. */
  still: 0.012,
  /** Luma within which a tile is flat, and the share of such tiles below which a picture is filmed: 0.3 at most, of slides 0.6. */
  flat: 8,
  flat_share: 0.36,
  /** The same of the pixels that are of one luma, give or take this much: paper takes 0.8 of a page, nine in ten photographs 0.5. */
  ground: 6,
  ground_share: 0.58
} as const

/** A view as tiles without what is even about them. */
const detailOf = (means: Float64Array, columns: number, rows: number): Float64Array => {
  const sums = new Float64Array((columns + 1) * (rows + 1))
  for (let y = 0; y < rows; y++) {
    let line = 0
    for (let x = 0; x < columns; x++) {
      line += means[y * columns + x]!
      sums[(y + 1) * (columns + 1) + x + 1] = sums[y * (columns + 1) + x + 1]! + line
    }
  }
  const out = new Float64Array(columns * rows)
  for (let y = 0; y < rows; y++) {
    const [top, bottom] = [Math.max(0, y - tuning.around), Math.min(rows, y + tuning.around + 1)]
    for (let x = 0; x < columns; x++) {
      const [left, right] = [Math.max(0, x - tuning.around), Math.min(columns, x + tuning.around + 1)]
      const sum = sums[bottom * (columns + 1) + right]! - sums[top * (columns + 1) + right]! -
        sums[bottom * (columns + 1) + left]! + sums[top * (columns + 1) + left]!
      out[y * columns + x] = means[y * columns + x]! - sum / ((bottom - top) * (right - left))
    }
  }
  return out
}

const meansOf = (plane: Uint8Array, width: number, cell: number): Float64Array => {
  const columns = width / cell
  const means = new Float64Array(plane.length / (cell * cell))
  for (let at = 0, y = 0; at < plane.length; y++) {
    const row = Math.floor(y / cell) * columns
    for (let x = 0; x < width; x++, at++) {
      const to = row + Math.floor(x / cell)
      means[to] = means[to]! + plane[at]!
    }
  }
  return means
}

/** `moved` is false where the camera stands. */
interface CameraMove {
  readonly moved: boolean
}

/** What the view shows of the other: how wide it is there, and how far its middle lies from the other's, in shares of that. */
interface Place {
  readonly scale: number
  readonly dx: number
  readonly dy: number
}

interface Placed extends Place {
  readonly likeness: number
}

const identity: Place = { scale: 1, dx: 0, dy: 0 }

/** How many pixels are of the luma that most are of. */
const groundOf = (lumas: Uint32Array): number => {
  let [most, sum] = [0, 0]
  for (let luma = 0; luma < lumas.length; luma++) {
    sum += lumas[luma]! - (lumas[luma - 2 * tuning.ground - 1] ?? 0)
    most = Math.max(most, sum)
  }
  return most
}

/** A view as cells, what is even about them taken away. */
interface Detail {
  readonly columns: number
  readonly rows: number
  readonly cells: Float64Array
}

/** Correlation of the view with the part of the other that it is taken to show; of every `stride`th cell. */
const likeness = ({ cells: view, columns, rows }: Detail, { cells: other }: Detail, at: Place, stride = 1): number => {
  const { dx, dy, scale } = at
  const [middleX, middleY] = [(columns - 1) / 2, (rows - 1) / 2]
  let [n, all, sumA, sumB, sumAA, sumBB, sumAB] = [0, 0, 0, 0, 0, 0, 0]
  for (let y = stride >> 1; y < rows; y += stride) {
    const v = (y - middleY) * scale + middleY + dy * rows
    const row = Math.floor(v)
    const inside = v >= 0 && row < rows - 1
    const down = v - row
    for (let x = stride >> 1; x < columns; x += stride) {
      all++
      if (!inside) continue
      const u = (x - middleX) * scale + middleX + dx * columns
      const column = Math.floor(u)
      if (u < 0 || column >= columns - 1) continue
      const across = u - column
      const from = row * columns + column
      const b = (other[from]! * (1 - across) + other[from + 1]! * across) * (1 - down) +
        (other[from + columns]! * (1 - across) + other[from + columns + 1]! * across) * down
      const a = view[y * columns + x]!
      n++
      sumA += a
      sumB += b
      sumAA += a * a
      sumBB += b * b
      sumAB += a * b
    }
  }
  if (n < tuning.shared * all) return -1
  const spread = (sumAA - sumA * sumA / n) * (sumBB - sumB * sumB / n)
  return spread <= 1e-9 ? -1 : (sumAB - sumA * sumB / n) / Math.sqrt(spread)
}

const better = (a: Placed, b: Placed): Placed => b.likeness > a.likeness ? b : a

/** From one place to the best one near it, in steps of a cell and of half a cell. */
const climb = (view: Detail, other: Detail, from: Place): Placed => {
  const placed = (at: Place): Placed => ({ ...at, likeness: likeness(view, other, at) })
  let best = placed(from)
  for (const step of [1, 0.5]) {
    const [across, down, zoom] = [step / view.columns, step / view.rows, 1 + (2 * step) / view.columns]
    for (let moved = true; moved;) {
      const { dx, dy, scale } = best
      const near = [
        { scale, dx: dx + across, dy },
        { scale, dx: dx - across, dy },
        { scale, dx, dy: dy + down },
        { scale, dx, dy: dy - down },
        { scale: scale * zoom, dx, dy },
        { scale: scale / zoom, dx, dy }
      ].map(placed).reduce(better)
      moved = near.likeness > best.likeness
      if (moved) best = near
    }
  }
  return best
}

/** The best place that a view may have in the other, in any part of it and nearer or farther by a half. */
const search = (view: Detail, other: Detail): Placed => {
  const found: Array<Placed> = []
  const { columns, rows } = view
  for (const scale of tuning.scales) {
    for (let y = -(rows >> 1); y <= rows >> 1; y += 2) {
      for (let x = -(columns >> 1); x <= columns >> 1; x += 2) {
        const at = { scale, dx: x / columns, dy: y / rows }
        found.push({ ...at, likeness: likeness(view, other, at, 2) })
      }
    }
  }
  return found.toSorted((a, b) => b.likeness - a.likeness).slice(0, tuning.tried)
    .map((one) => climb(view, other, one)).reduce(better)
}

/**
 * Image registration: finds how a camera that panned, zoomed or shook got from one view to the other, and tells whether
 * most of the view was to be seen before. Blind to what moves in the picture as long as the rest correlates.
 */
export const makeViewMatch = ({ height, width }: AnalysisSize, tile: number) => {
  const detail = ({ means, plane }: TiledPlane, cell: number): Detail => {
    const [columns, rows] = [width / cell, height / cell]
    return { columns, rows, cells: detailOf(cell === tile ? means : meansOf(plane, width, cell), columns, rows) }
  }

  const lumas = new Uint32Array(256)

  /** Where the view was found last: a camera goes on from there. */
  let last: Place = identity

  return {
    /** Whether it is a camera's picture: what is drawn is flat for the most part, and most of it is its ground. */
    isFilmed: ({ plane }: TiledPlane): boolean => {
      let flat = 0
      lumas.fill(0)
      for (let y = 0; y < height; y += tile) {
        for (let x = 0; x < width; x += tile) {
          let [low, high] = [255, 0]
          for (let row = y; row < y + tile; row++) {
            for (let at = row * width + x, end = at + tile; at < end; at++) {
              const value = plane[at]!
              lumas[value]!++
              if (value < low) low = value
              if (value > high) high = value
            }
          }
          if (high - low <= tuning.flat) flat++
        }
      }
      return flat * tile * tile < tuning.flat_share * plane.length &&
        groundOf(lumas) < tuning.ground_share * plane.length
    },
    /** How the camera moved from one view to the other, where both show much the same. */
    find: (view: TiledPlane, other: TiledPlane): CameraMove | undefined => {
      const [one, two] = [detail(view, tile), detail(other, tile)]
      const near = [identity, last].map((from) => climb(one, two, from)).reduce(better)
      const found = near.likeness >= tuning.alike ? near : better(near, search(one, two))
      if (found.likeness < tuning.alike) return undefined
      last = found
      const exact = climb(detail(view, tile / 2), detail(other, tile / 2), found)
      if (exact.likeness < tuning.alike_closely) return undefined
      const { dx, dy, scale } = exact
      const still = Math.abs(dx) < tuning.still && Math.abs(dy) < tuning.still && Math.abs(scale - 1) < tuning.still
      return { moved: !still }
    }
  }
}
