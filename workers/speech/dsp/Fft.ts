/**
 * Power spectra (re² + im²) of two real frames at once: the second frame rides as the imaginary part and the halves are
 * told apart by symmetry. Radix-2, in float64 (Cooley and Tukey 1965). Each output has `size / 2 + 1` bins. `size` is a
 * power of two; anything else throws a `RangeError`.
 */
export const makePowerSpectra = (size: number) => {
  if (size < 2 || (size & (size - 1)) !== 0) throw new RangeError(`${size} is not a power of two`)
  const half = size / 2
  const cosines = Float64Array.from({ length: half }, (_, k) => Math.cos((2 * Math.PI * k) / size))
  const sines = Float64Array.from({ length: half }, (_, k) => Math.sin((2 * Math.PI * k) / size))
  const bits = Math.log2(size)
  const reversed = Uint32Array.from({ length: size }, (_, k) => {
    let r = 0
    for (let b = 0; b < bits; b++) if ((k >> b) & 1) r |= 1 << (bits - 1 - b)
    return r
  })
  const re = new Float64Array(size)
  const im = new Float64Array(size)

  return (a: Float64Array, b: Float64Array, powerA: Float64Array, powerB: Float64Array): void => {
    for (let k = 0; k < size; k++) {
      re[reversed[k]!] = a[k]!
      im[reversed[k]!] = b[k]!
    }
    for (let span = 1, stride = half; span < size; span *= 2, stride /= 2) {
      for (let start = 0; start < size; start += 2 * span) {
        for (let j = 0; j < span; j++) {
          const c = cosines[j * stride]!
          const s = sines[j * stride]!
          const low = start + j
          const high = low + span
          const x = re[high]! * c + im[high]! * s
          const y = im[high]! * c - re[high]! * s
          re[high] = re[low]! - x
          im[high] = im[low]! - y
          re[low]! += x
          im[low]! += y
        }
      }
    }
    for (let k = 0; k <= half; k++) {
      const m = (size - k) & (size - 1)
      const aRe = (re[k]! + re[m]!) / 2
      const aIm = (im[k]! - im[m]!) / 2
      const bRe = (im[k]! + im[m]!) / 2
      const bIm = (re[m]! - re[k]!) / 2
      powerA[k] = aRe * aRe + aIm * aIm
      powerB[k] = bRe * bRe + bIm * bIm
    }
  }
}
