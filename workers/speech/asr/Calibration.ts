import { Schema } from "effect"

/** Mean word confidence of a passage, rising, each with the share of words that were right in passages of that confidence. */
export const Calibration = Schema.Array(Schema.Tuple([Schema.Finite, Schema.Finite]))
export type Calibration = typeof Calibration.Type

/**
 * How likely a word of a passage is right, by its mean word confidence: straight lines between what was measured, level beyond it. Without any
 * measurement the confidence itself.
 */
export const calibrated = (calibration: Calibration, confidence: number): number => {
  const above = calibration.findIndex(([heard]) => heard >= confidence)
  const [low, high] = [calibration[above === -1 ? calibration.length - 1 : above - 1], calibration[above]]
  if (low === undefined) return high?.[1] ?? confidence
  if (high === undefined) return low[1]
  return low[1] + ((high[1] - low[1]) * (confidence - low[0])) / (high[0] - low[0])
}

const isCalibration = Schema.is(Calibration)

/** The option `calibration` of a stack; null where it has none. Each network is sure in its own way. */
export const calibrationIn = ({ calibration }: Readonly<Record<string, unknown>>): Calibration | null =>
  isCalibration(calibration) ? calibration : null
