/** The plane on which frames are compared. */
export const size = { width: 320, height: 180 }

/** Where a camera looks, in pixels of the plane, and how wide the view is. */
interface View {
  readonly x?: number
  readonly y?: number
  readonly scale?: number
}

const hashed = (x: number, y: number, seed: number): number => {
  let h = Math.imul(x, 374_761_393) + Math.imul(y, 668_265_263) + Math.imul(seed, 2_147_483_647)
  h = Math.imul(h ^ (h >>> 13), 1_274_126_177)
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32
}

/** Between lattice points as the weather is: value noise. */
const noise = (x: number, y: number, seed: number): number => {
  const [left, top] = [Math.floor(x), Math.floor(y)]
  const [across, down] = [x - left, y - top]
  const row = (line: number) => hashed(left, line, seed) * (1 - across) + hashed(left + 1, line, seed) * across
  return row(top) * (1 - down) + row(top + 1) * down
}

/** A view of a world with structure of every size, as a camera films it; each seed is another world. */
export const filmed = (seed: number, { scale = 1, x = 0, y = 0 }: View = {}): Uint8Array => {
  const plane = new Uint8Array(size.width * size.height)
  for (let row = 0, at = 0; row < size.height; row++) {
    for (let column = 0; column < size.width; column++, at++) {
      const u = (column - size.width / 2) * scale + x + 5000
      const v = (row - size.height / 2) * scale + y + 5000
      plane[at] = 20 + 130 * noise(u / 61, v / 61, seed) + 60 * noise(u / 17, v / 17, seed + 1) +
        16 * noise(u / 6, v / 6, seed + 2)
    }
  }
  return plane
}

/** The picture with a line of bright letters on a dark ground near its lower edge; each seed another line. */
export const captioned = (plane: Uint8Array, seed: number): Uint8Array => {
  const copy = Uint8Array.from(plane)
  for (let row = 154; row < 164; row++) copy.fill(12, row * size.width + 78, row * size.width + 242)
  for (let x = 80, letter = 0; x < 236; x += 5, letter++) {
    for (let row = 155; row < 163; row++) {
      for (let column = 0; column < 4; column++) {
        if (hashed(letter * 31 + column, row >> 1, seed) > 0.5) copy[row * size.width + x + column] = 245
      }
    }
  }
  return copy
}
