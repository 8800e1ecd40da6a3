import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

interface Eval {
  /**
   * Scores labelled folders; prints tables, in Markdown if wanted, and gives the numbers back by set name. What is named in
   * `without` is left out: it takes time.
   */
  readonly run: (
    folders: ReadonlyArray<string>,
    options: {
      readonly markdown: boolean
      readonly without: ReadonlyArray<string>
      /** No folder was asked for: these are the usual ones, and what an evaluation makes for itself belongs to it too. */
      readonly usual: boolean
    }
  ) => Promise<Readonly<Record<string, unknown>>>
}

const root = fileURLToPath(new URL("..", import.meta.url))
const samples = join(root, "samples")
const shared = join(root, "..", "shared", "assets")
const defaults: Readonly<Record<string, ReadonlyArray<string>>> = {
  speech: [join(shared, "audio", "dev"), samples],
  frames: [join(shared, "video", "dev")],
  vision: [join(shared, "images", "dev"), samples],
  extraction: [join(shared, "extraction", "dev")],
  gate: [join(shared, "footage")],
  punctuation: [join(shared, "extraction", "dev"), samples],
  schemas: [join(shared, "json-schema-test-suite")]
}

/** What can be left out of an evaluation. */
const parts: Readonly<Record<string, ReadonlyArray<string>>> = {
  speech: ["greedy", "sherpa", "pocketsphinx", "panels", "made"],
  vision: ["labelled", "drawn", "votes", "captions", "talks", "things"]
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    set: { type: "string", multiple: true },
    json: { type: "boolean", default: false },
    markdown: { type: "boolean", default: false },
    without: { type: "string", multiple: true, default: [] }
  }
})
const [name, ...more] = positionals
const usual = name === undefined ? undefined : defaults[name]
if (name === undefined || usual === undefined) {
  console.error(
    `Usage: npm run eval -- ${Object.keys(defaults).join("|")} [--set DIR] [--json] [--markdown] [--without PART]`
  )
  process.exit(2)
}
if (more.length > 0) {
  console.error(`One evaluation at a time, and --set before each folder; not understood: ${more.join(", ")}`)
  process.exit(2)
}
const strange = values.without.filter((part) => parts[name]?.includes(part) !== true)
if (strange.length > 0) {
  console.error(`${name} has no ${strange.join(", ")} to leave out. There is: ${parts[name]?.join(", ") ?? "nothing"}.`)
  process.exit(2)
}
// Of the usual folders the first that is here, of speech all; one that was asked for must be. Clips with
// frames are made, and extraction has footage of its own.
const here = usual.filter((folder) => existsSync(folder))
const folders = values.set ?? (name === "speech" ? here : here.slice(0, 1))
const missing = folders.filter((folder) => !existsSync(folder) || !statSync(folder).isDirectory())
if (missing.length > 0 || (folders.length === 0 && name !== "frames" && name !== "extraction" && name !== "gate")) {
  console.error(
    `No folder of labelled data at ${
      (folders.length === 0 ? usual : missing).join(", ")
    }; name a folder with --set DIR.`
  )
  process.exit(2)
}
const module: Eval = await import(`./${name}.ts`)
const scores = await module.run(folders, {
  markdown: values.markdown,
  without: values.without,
  usual: values.set === undefined
})
if (values.json) console.log(JSON.stringify(scores))
