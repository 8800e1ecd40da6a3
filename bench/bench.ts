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

const [count, whole, amount, counts, anything] = [
  /^[1-9]\d*$/u,
  /^\d+$/u,
  /^(?=.*[1-9])\d+(?:\.\d+)?$/u,
  /^[1-9]\d*(?:,[1-9]\d*)*$/u,
  /./u
]

/** The options of the benches that have any, and how their values look; null where there is none. */
const options: Readonly<Record<string, Readonly<Record<string, RegExp | null>>>> = {
  "audio-length": { hours: amount },
  cells: { tenants: count, seed: whole },
  connectors: { jobs: count, seed: whole },
  drain: { stops: count },
  engine: { jobs: whole, workers: counts, "task-ms": whole, write: null },
  hostile: { mutations: whole, seed: whole },
  http: { against: anything, jobs: count },
  hygiene: { count, seed: whole },
  idempotency: { rounds: count },
  media: { folder: anything, rounds: count, seconds: amount },
  neighbours: { attack: anything, seconds: amount, rounds: count, video: anything },
  sheet: { out: anything },
  throughput: { jobs: count, media: count, speech: count, vision: count, extraction: count, provider: anything },
  upgrade: { each: count, write: null },
  "video-length": { minutes: amount }
}

const given = process.argv.slice(2).filter((argument) => argument.startsWith("-"))
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("-"))

const takes = (name: string, argument: string): boolean => {
  const [, option, value] = /^--([a-z-]+)(?:=(.*))?$/su.exec(argument) ?? []
  const known = options[name]
  if (option === undefined || known === undefined || !Object.hasOwn(known, option)) return false
  return known[option] === null ? value === undefined : value !== undefined && known[option]!.test(value)
}
const chosen: ReadonlyArray<string> = wanted.length > 0 ? wanted : benches
const strange = given.filter((argument) => !chosen.some((name) => takes(name, argument)))
const unknown = wanted.filter((name) => !(benches as ReadonlyArray<string>).includes(name))
if (unknown.length > 0) {
  console.error(`No bench ${unknown.join(", ")}. There is: ${benches.join(", ")}.`)
  process.exitCode = 2
} else if (strange.length > 0) {
  console.error(`Not an option of ${chosen.join(", ")}, or no value for it: ${strange.join(", ")}.`)
  process.exitCode = 2
} else {
  for (const name of chosen) {
    console.log(styleText("bold", `\n${name}`))
    const bench: { readonly run: (args: ReadonlyArray<string>) => Promise<unknown> } = await import(`./${name}.ts`)
    await bench.run(given.filter((argument) => takes(name, argument)))
  }
}
