import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Every line of a file that is not blank, with its number; of a byte order mark it holds nothing. */
export function* linesOf(file: string): Generator<{ readonly line: string; readonly number: number }> {
  for (const [at, line] of readFileSync(file, "utf8").replace(/^\uFEFF/u, "").split("\n").entries()) {
    if (line.trim() !== "") yield { line, number: at + 1 }
  }
}

/** The `*.jsonl` files of a folder by name, and `path: why` of what seems to hold more lines but is not read. */
export const lineFilesIn = (folder: string): {
  readonly files: ReadonlyArray<string>
  readonly unread: ReadonlyArray<string>
} => {
  const entries = readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => a.name < b.name ? -1 : 1)
  const isFolder = (name: string) => entries.some((entry) => entry.name === name && entry.isDirectory())
  const names = entries.map(({ name }) => name)
  return {
    files: names.filter((name) => name.endsWith(".jsonl") && !isFolder(name)),
    unread: names.flatMap((name) => {
      if (isFolder(name)) return [`${join(folder, name)}: a folder; name it with --set`]
      return /\.(?:jsonl|ndjson)$/iu.test(name) && !name.endsWith(".jsonl")
        ? [`${join(folder, name)}: only *.jsonl is read`]
        : []
    })
  }
}
