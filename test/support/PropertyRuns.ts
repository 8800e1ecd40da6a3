import { randomInt } from "node:crypto"

/** What the properties of a run draw from: one seed for all, and by how much each one's number of cases is multiplied. */
export interface PropertyRuns {
  readonly FOOTNOTE_PROPERTY_SEED: string
  readonly FOOTNOTE_PROPERTY_RUNS: string
}

/**
 * A test run draws from seed 1, once as deep as each property asks, so a commit answers the same everywhere; a soak draws from a new seed, 20 times as deep.
 * The environment overrides either (`FOOTNOTE_PROPERTY_SEED=random` or a number, `FOOTNOTE_PROPERTY_RUNS` a factor); throws on anything else.
 */
export const propertyRuns = (soak: boolean, environment: NodeJS.ProcessEnv): PropertyRuns => {
  const asked = environment.FOOTNOTE_PROPERTY_SEED || (soak ? "random" : "1")
  const runs = environment.FOOTNOTE_PROPERTY_RUNS || (soak ? "20" : "1")
  const seed = asked === "random" ? String(randomInt(2 ** 31)) : asked
  if (!/^-?\d{1,10}$/u.test(seed)) throw new Error(`FOOTNOTE_PROPERTY_SEED is "random" or an integer, not ${seed}`)
  if (!(Number(runs) > 0 && Number(runs) < Infinity)) throw new Error(`FOOTNOTE_PROPERTY_RUNS is a factor, not ${runs}`)
  return { FOOTNOTE_PROPERTY_SEED: seed, FOOTNOTE_PROPERTY_RUNS: runs }
}
