import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { readFootageFile, readFootageFolder } from "./extraction/FootageRecord.ts"
import { manners } from "./gate/Manners.ts"
import { oracleCeiling } from "./gate/OracleCeiling.ts"
import { swapBench } from "./gate/SwapBench.ts"
import { folderNames } from "./SetNames.ts"

const own = (name: string) => fileURLToPath(new URL(`extraction/footage/${name}.jsonl`, import.meta.url))

const rate = (value: number | null | undefined): string =>
  value === null || value === undefined ? "-" : value.toFixed(3)

/**
 * Measures the gate of the language-model path without a model: what comes through of one that is always right, in ten manners
 * of speaking, and what of wrong values with true quotes. Over all `*.jsonl` of each folder; where none was asked for, over our own
 * footage too.
 */
export const run = async (folders: ReadonlyArray<string>, { usual }: { readonly usual: boolean }) => {
  const read = [
    ...(usual ? ["dev", "test", "test-2"] : []).map((name) => ({
      name: `footage ${name}`,
      footage: readFootageFile(own(name))
    })),
    ...Array.from(folderNames(folders).keys()).filter((folder) => existsSync(folder)).map((folder) => ({
      name: folder,
      footage: readFootageFolder(folder)
    }))
  ]
  for (const line of read.flatMap(({ footage }) => footage.unread)) console.error(`Not read: ${line}`)
  const sets = read.filter(({ footage }) => footage.records.length > 0)
  if (sets.length === 0) throw new Error(`No footage in ${folders.join(", ") || "any folder"}`)
  for (const { footage: { records }, name } of sets) {
    console.log(`\nOracle, ${name} (${records.length} videos): what comes through of a model that is always right`)
    console.table(Object.fromEntries(
      Object.entries(await oracleCeiling(records)).map(([manner, { by_kind, missed, ...figures }]) => [
        manner,
        Object.assign(figures, by_kind, { missed: missed.length })
      ])
    ))
  }
  const records = sets.flatMap(({ footage }) => footage.records)
  const [ceiling] = Object.values(await oracleCeiling(records, Object.keys(manners).slice(0, 1)))
  // The rules' judge was fitted on `dev`, which says nothing of what it is worth.
  const unseen = sets.filter(({ name }) => name !== "footage dev").flatMap(({ footage }) => footage.records)
  const swaps = await swapBench(unseen)
  console.log(
    `\nSwap bench, but for footage dev: ${swaps.trials} proposals with true quotes, right and wrong, in ${unseen.length} videos`
  )
  console.table(Object.fromEntries(
    [
      ["gate alone", swaps.gate] as const,
      ["rules at 95 % true accepts", swaps.rules] as const,
      ["the same of what the gate takes", swaps.rules_of_taken] as const,
      ...Object.entries(swaps.judges).map(([error, rates]) => [`a judge wrong in ${error}`, rates] as const)
    ].map(([name, { by_swap, false_accepts, true_accepts }]) => [
      name,
      {
        "true accepts": rate(true_accepts),
        "false accepts": rate(false_accepts),
        ...Object.fromEntries(Object.entries(by_swap).map(([sort, value]) => [sort, rate(value)]))
      }
    ])
  ))
  return {
    unread: read.flatMap(({ footage }) => footage.unread),
    gate: {
      oracle_f1: ceiling!.f1,
      oracle_booleans: ceiling!.booleans,
      oracle_enums: ceiling!.enums,
      false_accepts_rules: swaps.rules.false_accepts
    }
  }
}
