/** A pole at 13 Hz (16 kHz): a constant offset is not sound. */
const POLE = 0.995
/** -60 dB of full scale. Speech recorded quieter than that has 5 of its 16 bits left. */
const AUDIBLE_PEAK = 33
/** The mix may lose 6 dB of a voice that is in one channel only; 12 dB and more only where the channels cancel. */
const CANCELLED_POWER = 1 / 16

/** Sums over one signal without its constant part. */
interface Level {
  power: number
  peak: number
}

export interface MixLevels {
  readonly left: Readonly<Level>
  readonly right: Readonly<Level>
  readonly mix: Readonly<Level>
}

/** Measures one signal sample by sample. */
export const makeMeter = () => {
  const level: Level = { power: 0, peak: 0 }
  let [last, out] = [0, 0]
  return {
    level: level as Readonly<Level>,
    push: (sample: number): void => {
      out = sample - last + POLE * out
      last = sample
      level.power += out * out
      // The first samples still carry the offset itself.
      const size = Math.abs(out)
      if (size > level.peak) level.peak = size
    }
  }
}

export const isAudible = ({ peak }: Readonly<Level>): boolean => peak >= AUDIBLE_PEAK

/** Whether the mix of both channels still holds what each of them has: not where one is the other turned over. */
export const isWhole = ({ left, mix, right }: MixLevels): boolean =>
  isAudible(mix) && mix.power >= CANCELLED_POWER * Math.max(left.power, right.power)

/**
 * Makes one channel of interleaved s16le of one or two, in pieces cut anywhere, and measures what went in and what came
 * out. The first `skipped` frames are left out.
 */
export const makeMono = (channels: 1 | 2, skipped = 0) => {
  const mix = makeMeter()
  const [left, right] = channels === 1 ? [mix, mix] : [makeMeter(), makeMeter()]
  const frame = 2 * channels
  let rest: Buffer = Buffer.alloc(0)
  let skip = skipped
  return {
    levels: { left: left.level, right: right.level, mix: mix.level } satisfies MixLevels,
    push: (bytes: Uint8Array): Uint8Array => {
      const all = rest.length === 0
        ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        : Buffer.concat([rest, bytes])
      const frames = Math.floor(all.length / frame)
      const mono = Buffer.allocUnsafe(2 * frames)
      for (let i = 0; i < frames; i++) {
        const a = all.readInt16LE(frame * i)
        let both = a
        if (channels === 2) {
          const b = all.readInt16LE(frame * i + 2)
          both = (a + b) >> 1
          left.push(a)
          right.push(b)
        }
        mono.writeInt16LE(both, 2 * i)
        mix.push(both)
      }
      rest = Buffer.from(all.subarray(frame * frames))
      const from = Math.min(skip, frames)
      skip -= from
      return mono.subarray(2 * from)
    }
  }
}
