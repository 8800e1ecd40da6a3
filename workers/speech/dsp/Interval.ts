/** A stretch of time in seconds, `t_start < t_end`. */
export interface Interval {
  readonly t_start: number
  readonly t_end: number
}
