import { createHash } from "node:crypto"
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join, relative } from "node:path"
import { Unreadable } from "./Envelope.ts"
import { canonical, items, type Json, member, NotJson, parseStrict, sha256 } from "./StrictJson.ts"

export interface Report {
  /** Files that were compared. */
  readonly checked: number
  /** One sentence for each thing that is not as it was signed. */
  readonly faults: ReadonlyArray<string>
  /** Files of the folder that the manifest says nothing of. */
  readonly uncovered: ReadonlyArray<string>
}

/** What a file is to a person. */
const titles: Readonly<Record<string, string>> = {
  "result.json": "the result",
  "transcript.json": "the transcript",
  "frames.json": "the frame inventory",
  "vision.json": "the frame descriptions",
  "graph.json": "the knowledge graph",
  "graph_compact.json": "the compact knowledge graph",
  "evidence.json": "the evidence",
  "schema.json": "the schema",
  "job.json": "the job"
}
const titled = (name: string): string =>
  name.startsWith("frames/")
    ? `${name} (a kept frame)`
    : name.startsWith("transcript.") && name !== "transcript.json"
    ? `${name} (the transcript)`
    : Object.hasOwn(titles, name)
    ? `${name} (${titles[name]})`
    : name

/** Texts that call the recording by the job's id, with what is said in lower case; in every other one both are words like any. */
const callsByJob = /^transcript\.(?:stm|ctm|rttm)$/u

/** Names as the service writes them; no name leads out of the folder. */
const safeName = /^(?:frames\/)?[a-z0-9_]+\.[a-z]+$/u

interface Subject {
  readonly name: string
  readonly digest: Json | undefined
  /** Members that are not hashed, because they differ from job to job. */
  readonly omitted: ReadonlyArray<string>
  /** What stands for the job's id in a text; undefined where the text is hashed as it is. */
  readonly any_job: string | undefined
}

const subjectsOf = (statement: Json): ReadonlyArray<Subject> =>
  items(member(statement, "subject")).map((subject) => {
    const name = member(subject, "name")
    if (typeof name !== "string" || !safeName.test(name)) throw new Unreadable("The manifest names what is no artifact")
    const omitted = items(member(subject, "annotations", "omitted")).filter((name) => typeof name === "string")
    const any_job = member(subject, "annotations", "job_id")
    return {
      name,
      digest: member(subject, "digest"),
      omitted,
      any_job: typeof any_job === "string" ? any_job : undefined
    }
  })

/** A text with what stands for any job in the place of its own; undefined where that stood there already: it names no job. */
const withoutJob = (bytes: Buffer, job_id: string, any_job: string): Buffer | undefined => {
  // Latin-1 keeps every byte, whatever the text is written in.
  const text = bytes.toString("latin1")
  return text.includes(any_job) ? undefined : Buffer.from(text.replaceAll(job_id, () => any_job), "latin1")
}

/** Why the bytes are not what the digest says, undefined where they are. */
const difference = (
  bytes: Buffer,
  { any_job, digest, name, omitted }: Subject,
  job_id: string
): string | undefined => {
  const plain = member(digest, "sha256")
  if (plain !== undefined) {
    const signed = any_job !== undefined && callsByJob.test(name) ? withoutJob(bytes, job_id, any_job) : bytes
    return signed !== undefined && sha256(signed) === plain ? undefined : "its bytes are not those that were signed"
  }
  const jcs = member(digest, "jcs_sha256")
  if (jcs === undefined) return "the manifest has no hash of it that is known here"
  let value: Json
  try {
    value = parseStrict(bytes)
  } catch (error) {
    if (error instanceof NotJson) return `it is no JSON: ${error.message}`
    throw error
  }
  if (omitted.includes("job_id") && member(value, "job_id") !== job_id) return "it belongs to another job"
  const hashed = value instanceof Map && omitted.length > 0
    ? new Map([...value as ReadonlyMap<string, Json>].filter(([name]) => !omitted.includes(name)))
    : value
  return sha256(canonical(hashed)) === jcs ? undefined : "its content is not what was signed"
}

/** A sentence where the folder does not hold what was signed under that name, undefined where it does. */
const faultOf = (folder: string, subject: Subject, job_id: string): string | undefined => {
  const path = join(folder, subject.name)
  if (!existsSync(path)) return `MISSING ${titled(subject.name)}`
  // What is no file is not opened: a pipe would never end.
  const why = statSync(path).isFile() ? difference(readFileSync(path), subject, job_id) : "it is no file"
  return why === undefined ? undefined : `DIFFERS ${titled(subject.name)}: ${why}`
}

/**
 * Compares a folder that `npm run extract -- … --out` wrote with a statement whose signature holds: the job's record, the
 * schema, the result and every artifact. Each difference is one sentence. Throws `Unreadable` where the
 * statement is of another kind.
 */
export const compareFolder = (folder: string, statement: Json): Report => {
  const predicate = member(statement, "predicate")
  if (
    member(statement, "_type") !== "https://in-toto.io/Statement/v1" ||
    member(statement, "predicateType") !== "urn:footnote:extraction:v1"
  ) throw new Unreadable("The manifest states something of a kind that is not known here")
  const job_id = member(predicate, "job", "id")
  if (typeof job_id !== "string" || job_id === "") throw new Unreadable("The manifest names no job")
  const given = (name: string, ...path: ReadonlyArray<string>): Subject => ({
    name,
    digest: member(predicate, ...path),
    omitted: [],
    any_job: undefined
  })
  const subjects = [
    given("job.json", "job", "digest"),
    given("schema.json", "schema", "original"),
    ...subjectsOf(statement)
  ]
  const faults = subjects.flatMap((subject) => faultOf(folder, subject, job_id) ?? [])
  const covered = new Set([...subjects.map(({ name }) => name), "manifest.json", "signing-keys.json"])
  const uncovered = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    !entry.isDirectory()
  )
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((name) => !covered.has(name)).toSorted()
  return { checked: subjects.length, faults, uncovered }
}

/** A sentence where the file is not the source that the job ran on, undefined where it is. */
export const compareSource = async (file: string, statement: Json): Promise<string | undefined> => {
  const hash = createHash("sha256")
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest("hex") === member(statement, "predicate", "source", "digest", "sha256")
    ? undefined
    : `DIFFERS ${file}: it is not the source that the job ran on`
}
