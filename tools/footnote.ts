#!/usr/bin/env node
import { existsSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import process from "node:process"
import { parseArgs } from "node:util"
import { type Keys, openEnvelope, readKeys, Unreadable } from "./verify-manifest/Envelope.ts"
import { pullJob } from "./verify-manifest/Pull.ts"
import { member } from "./verify-manifest/StrictJson.ts"
import { compareFolder, compareSource } from "./verify-manifest/Verification.ts"
import { visible } from "./verify-manifest/Visible.ts"

const usage = `Usage: footnote verify MANIFEST [--keys FILE|URL] [--key-id ID] [--source FILE]
       footnote pull JOB FOLDER [--url URL]

verify checks the signature of manifest.json, then every artifact in the folder that it lies in.
  MANIFEST    manifest.json, or the folder that \`pull\` or \`npm run extract -- … --out\` wrote, or an unpacked export
  --keys      whom to trust: the service's /.well-known/footnote-signing-keys, by URL or as a file
  --key-id    the one key to trust, by its thumbprint
  --source    the video, to check that it is the one that the job ran on

pull fetches all that a succeeded job left into a folder, with the key in FOOTNOTE_API_KEY, and verifies it.
  --url       where the service is; else FOOTNOTE_URL, else http://127.0.0.1:8080

Exits with 0 where all is as it was signed, with 1 where something is not, with 2 where it cannot be told.`

const readFile = (file: string): Buffer => {
  try {
    return readFileSync(file)
  } catch {
    throw new Unreadable(`${file} cannot be read`)
  }
}

const readAddress = async (url: string): Promise<Uint8Array> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) }).catch(() => undefined)
  if (response?.ok !== true) throw new Unreadable(`${url} does not answer with keys`)
  return new Uint8Array(await response.arrayBuffer())
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

interface Options {
  readonly keys?: string | undefined
  readonly "key-id"?: string | undefined
  readonly source?: string | undefined
}

const say = (line: string) => console.log(visible(line))
const warn = (line: string) => console.error(visible(line))

/** Whom to trust: all of them, or the one that is named. */
const trusted = (keys: Keys, wanted: string | undefined): Keys =>
  wanted === undefined ? keys : new Map([...keys].filter(([id]) => id === wanted))

/** Prints what was found and gives the exit code. */
const verify = async (given: string, options: Options): Promise<number> => {
  const file = isFolder(given) ? join(given, "manifest.json") : given
  const folder = dirname(file)
  const from = options.keys ?? join(folder, "signing-keys.json")
  if (options.keys === undefined && !existsSync(from) && existsSync(file)) {
    throw new Unreadable(
      `There is no signing-keys.json beside ${given}. Say whom to trust with --keys https://SERVICE/.well-known/footnote-signing-keys, or fetch `
        + "the whole job with `footnote pull`"
    )
  }
  const wanted = options["key-id"]
  const all = readKeys(/^https?:\/\//u.test(from) ? await readAddress(from) : readFile(from), from)
  const keys = trusted(all, wanted)
  const { key_ids, signed_by, statement } = openEnvelope(readFile(file), basename(file), keys)
  if (signed_by === undefined) {
    const claimed = key_ids.filter((id) => keys.has(id))
    say(
      claimed.length > 0
        ? `FORGED  ${basename(file)}: it is not what the key ${claimed.join(", ")} has signed`
        : `UNKNOWN ${basename(file)}: it is signed by ${key_ids.join(", ")}, which is not among the keys to trust`
    )
    return 1
  }
  say(`Signed by the key ${signed_by}.`)
  if (options.keys === undefined && wanted === undefined) {
    warn(
      "The key comes from the folder itself, and whoever changed a file may have put it there: compare its id with the "
        + "service's, or name whom to trust with --keys or --key-id."
    )
  }
  const { checked, faults, uncovered } = compareFolder(folder, statement)
  const other = options.source === undefined ? undefined : await compareSource(options.source, statement)
  for (const fault of [...faults, ...(other === undefined ? [] : [other])]) say(fault)
  if (uncovered.length > 0) say(`Not covered by the manifest: ${uncovered.join(", ")}.`)
  if (faults.length > 0 || other !== undefined) return 1
  say(`${checked} files of ${String(member(statement, "predicate", "job", "id"))} are as they were signed.`)
  return 0
}

const main = async (): Promise<number> => {
  try {
    const { positionals: [command, manifest, ...rest], values } = parseArgs({
      allowPositionals: true,
      options: {
        keys: { type: "string" },
        "key-id": { type: "string" },
        source: { type: "string" },
        url: { type: "string" },
        help: { type: "boolean", short: "h" }
      }
    })
    if (values.help === true) {
      console.log(usage)
      return 0
    }
    const [folder] = rest
    if (command === "pull" && manifest !== undefined && folder !== undefined && rest.length === 1) {
      await pullJob({
        url: values.url ?? process.env["FOOTNOTE_URL"] ?? "http://127.0.0.1:8080",
        key: process.env["FOOTNOTE_API_KEY"],
        job_id: manifest,
        folder
      })
      return await verify(folder, {})
    }
    if (command === "verify" && manifest !== undefined && rest.length === 0) return await verify(manifest, values)
    console.error(usage)
  } catch (error) {
    if (error instanceof Unreadable) warn(`${error.message}.`)
    else if (error instanceof TypeError && "code" in error) console.error(`${error.message}\n\n${usage}`)
    else warn(error instanceof Error ? error.message : String(error))
  }
  return 2
}

process.exitCode = await main()
