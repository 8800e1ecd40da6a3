import { evidenceFaults } from "../test/workers/extraction/EvidenceFaults.ts"
import { attacks } from "./injection/Attacks.ts"
import { aimedAt, spansOfAttack, tryAttack } from "./injection/Trial.ts"

/** Nobody listens there: what is measured is what attacks cost, and what comes of them. */
const nowhere = { port: 9, file: "/nonexistent/injected" }

const two = (value: number): number => Math.round(value * 100) / 100

/**
 * Runs every attack, without a model and with one that obeys, and prints by channel: values in the results, those whose
 * evidence does not hold, those that rest on a forgery, and the highest cost beside harmless text of the same length.
 */
export const run = async () => {
  const rows: Record<string, Record<string, number>> = {}
  for (const [channel, own] of Map.groupBy(attacks, (attack) => attack.channel)) {
    const row = { attacks: own.length, values: 0, unsupported: 0, forged: 0, calls: 0, tokens: 0, work: 0 }
    for (const attack of own.map((one) => aimedAt(one, nowhere))) {
      const trial = await tryAttack(attack)
      for (const out of [trial.builtin, trial.llm]) {
        row.values += out.evidence.spans.length
        row.unsupported += evidenceFaults(out, trial.source, trial.schema).length
      }
      if (attack.outcome === "forged" && channel !== "schema") row.forged += spansOfAttack(trial, attack).length
      for (const name of ["calls", "tokens", "work"] as const) row[name] = Math.max(row[name], two(trial.ratio[name]))
    }
    rows[channel] = row
  }
  console.table(rows)
  return rows
}
