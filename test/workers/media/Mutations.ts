/** Mulberry32: the same seed draws the same numbers on every machine. */
const seeded = (seed: number): () => number => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A file that is to be spoiled, or that lends a part of itself. */
export interface Original {
  readonly name: string
  readonly bytes: Uint8Array
}

export interface Mutant extends Original {
  readonly kind: string
}

type Draw = (below: number) => number

/** Where a box of ISO media or a chunk of RIFF says its length: before its four letters, or behind them. */
const lengthsOf = (bytes: Uint8Array): ReadonlyArray<number> => {
  const found: Array<number> = []
  const names = new Set(
    "ftyp moov mdat trak mdia minf stbl stsd stts stsz stsc stco ctts elst edts udta moof traf trun avcC esds tkhd"
      .split(" ")
  )
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1")
  for (const match of text.matchAll(/[a-zA-Z]{4}/gu)) if (names.has(match[0])) found.push(match.index - 4)
  for (const match of text.matchAll(/RIFF|LIST/gu)) found.push(match.index + 4)
  return found.filter((at) => at >= 0 && at + 4 <= bytes.length)
}

const lies = [0, 1, 7, 8, 0x7fff_ffff, 0xffff_ffff, 0x8000_0000]

const kinds: Readonly<Record<string, (of: Buffer, other: Buffer, draw: Draw) => Buffer>> = {
  "bit flips": (of, _, draw) => {
    for (let flips = 1 + draw(200); flips > 0; flips--) of[draw(of.length)]! ^= 1 << draw(8)
    return of
  },
  "bit flips in the header": (of, _, draw) => {
    for (let flips = 1 + draw(24); flips > 0; flips--) of[draw(Math.min(of.length, 4096))]! ^= 1 << draw(8)
    return of
  },
  truncation: (of, _, draw) => of.subarray(0, draw(of.length)),
  "lengths that lie": (of, _, draw) => {
    const places = lengthsOf(of)
    for (let edits = 1 + draw(4); edits > 0; edits--) {
      const at = places[draw(places.length)] ?? draw(Math.max(1, of.length - 4))
      if (at + 4 <= of.length) of.writeUInt32BE(draw(3) === 0 ? draw(2 ** 31) : lies[draw(lies.length)]!, at)
    }
    return of
  },
  splice: (of, other, draw) => Buffer.concat([of.subarray(0, draw(of.length)), other.subarray(draw(other.length))]),
  "another's header": (of, other, draw) => {
    other.copy(of, 0, 0, Math.min(of.length, other.length, 16 << draw(9)))
    return of
  },
  "a stretch of zeros": (of, _, draw) => {
    const from = draw(of.length)
    return of.fill(0, from, from + 1 + draw(of.length - from))
  }
}

/**
 * `count` spoiled copies of the originals, by turns of every kind; the same originals, count and seed give the same bytes.
 * Empty files and files beyond `most_bytes` are not taken.
 */
export function* mutants(
  originals: ReadonlyArray<Original>,
  { count, most_bytes = 2 ** 21, seed }: { readonly count: number; readonly most_bytes?: number; readonly seed: number }
): Generator<Mutant> {
  const usable = originals.filter(({ bytes }) => bytes.length > 0 && bytes.length <= most_bytes)
  const names = Object.keys(kinds)
  for (let number = 0; number < count; number++) {
    const random = seeded(seed * 10_007 + number)
    const draw: Draw = (below) => Math.floor(random() * Math.max(1, below))
    const of = usable[draw(usable.length)]!
    const other = usable[draw(usable.length)]!
    const kind = names[number % names.length]!
    const bytes = kinds[kind]!(Buffer.from(of.bytes), Buffer.from(other.bytes), draw)
    yield { name: `${String(number).padStart(3, "0")} ${of.name}`, kind, bytes }
  }
}
