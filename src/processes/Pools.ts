import { Schema } from "effect"

/** The kinds of workers. A pool is a queue of tasks that any worker serving it may take. */
export const pools = ["fetch", "media", "speech", "vision", "extraction", "delivery"] as const
export const Pool = Schema.Literals(pools)
export type Pool = typeof Pool.Type
