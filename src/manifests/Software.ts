import { Schema } from "effect"
import { createHash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Software } from "../jobs/model/Attested.ts"

const repository = fileURLToPath(new URL("../../", import.meta.url))

/** What decides a result and is ours: code, models, and the packages that are asked for. Training makes models elsewhere. */
const folders = ["src", "workers", "models"]
const leftOut = /^models\/training\//u

const filesBelow = async (folder: string): Promise<ReadonlyArray<string>> => {
  const found = await readdir(join(repository, folder), { recursive: true, withFileTypes: true })
  return found.filter((entry) => entry.isFile()).map((entry) =>
    join(entry.parentPath, entry.name).slice(repository.length).replaceAll("\\", "/")
  )
}

/** Go's directory hash `h1`, in hexadecimal: SHA-256 over `<sha256>  <name>\n` for each file, by name. */
const dirHash = async (names: ReadonlyArray<string>): Promise<string> => {
  const hash = createHash("sha256")
  for (const name of names.toSorted()) {
    const bytes = await readFile(join(repository, name))
    hash.update(`${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`)
  }
  return hash.digest("hex")
}

const decodePackage = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ name: Schema.String, version: Schema.String }))
)

const read = async (): Promise<Software> => {
  const { name, version } = decodePackage(await readFile(join(repository, "package.json"), "utf8"))
  const files = (await Promise.all(folders.map(filesBelow))).flat().filter((file) => !leftOut.test(file))
  return {
    name,
    version,
    digest: { dirHash: await dirHash(["package.json", ...files]) },
    node: process.version,
    platform: `${process.platform}-${process.arch}`
  }
}

let known: Promise<Software> | undefined

/** The program that this process runs, hashed once. Rejects where its own files cannot be read. */
export const software = (): Promise<Software> => known ??= read()
