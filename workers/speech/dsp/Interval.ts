import { Schema } from "effect"

export const intervalFields = { t_start: Schema.Finite, t_end: Schema.Finite }

/** A stretch of time in seconds, `t_start < t_end`. */
export const Interval = Schema.Struct(intervalFields)
export type Interval = typeof Interval.Type
