import { styleText } from "node:util"

/** Each bench is a file beside this one that exports `run`, prints its ratios side by side and gives them back. */
const benches = [
  "media",
  "clusters",
  "hostile",
  "queue",
  "engine",
  "extraction-speed",
  "injection",
  "batches",
  "overhead",
  "row-security",
  "isolation",
  "audio-length",
  "video-length",
  "frame-types",
  "failed-sign-ins",
  "hygiene",
  "drain",
  "upgrade",
  "idempotency",
  "http",
  "connectors",
  "neighbours",
  "search",
  "sheet",
  "throughput",
  "cells"
] as const

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("-"))
const unknown = wanted.filter((name) => !(benches as ReadonlyArray<string>).includes(name))
if (unknown.length > 0) {
  console.error(`No bench ${unknown.join(", ")}. There is: ${benches.join(", ")}.`)
  process.exitCode = 2
} else {
  for (const name of wanted.length > 0 ? wanted : benches) {
    console.log(styleText("bold", `\n${name}`))
    const bench: { readonly run: (args: ReadonlyArray<string>) => Promise<unknown> } = await import(`./${name}.ts`)
    await bench.run(process.argv.slice(2).filter((argument) => argument.startsWith("-")))
  }
}
