/** A double as the decimal that it prints as: `digits` × 10^`exponent`. */
const decimal = (value: number): { readonly digits: bigint; readonly exponent: number } => {
  const [mantissa = "0", exponent = "0"] = String(value).split("e")
  const [whole = "0", fraction = ""] = mantissa.split(".")
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}

/**
 * Whether a number is a whole multiple of a step as both are written in decimal: 4.35 is one of 0.01, though their doubles
 * divide to 434.99999999999994, and 1e308 is one of 0.5. False where either is not finite or the step is 0.
 */
export const isMultiple = (value: number, step: number): boolean => {
  if (!Number.isFinite(value) || !Number.isFinite(step) || step === 0) return false
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0
  const [of, by] = [decimal(value), decimal(step)]
  const least = Math.min(of.exponent, by.exponent)
  const scaled = ({ digits, exponent }: typeof of) => digits * 10n ** BigInt(exponent - least)
  return scaled(of) % scaled(by) === 0n
}
