import { fileURLToPath } from "node:url"

const names = ["lecture", "product-demo"] as const

/** The footage that comes with the service, which every tenant may use: `sample://NAME`. */
export const samples: ReadonlyMap<string, string> = new Map(
  names.map((name) => [name, fileURLToPath(new URL(`../../samples/${name}.mp4`, import.meta.url))])
)

/** Their addresses, for whoever asked for another one. */
export const sampleUris: ReadonlyArray<string> = names.map((name) => `sample://${name}`)
