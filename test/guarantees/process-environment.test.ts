import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { deployment, finished, submit } from "../support/Deployment.ts"
import { descendants } from "../support/Processes.ts"
import { shortClip } from "../support/ShortClip.ts"

const secrets = {
  FOOTNOTE_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  FOOTNOTE_SIGNING_KEY: generateKeyPairSync("ed25519").privateKey.export({ format: "der", type: "pkcs8" }).toString(
    "base64"
  ),
  FOOTNOTE_LLM_KEY: `llm-${randomBytes(8).toString("hex")}`,
  SOURCE_S3_ACCESS_KEY_ID: "source-id",
  SOURCE_S3_SECRET_ACCESS_KEY: `source-${randomBytes(8).toString("hex")}`,
  BLOB_S3_ACCESS_KEY_ID: "blob-id",
  BLOB_S3_SECRET_ACCESS_KEY: `blob-${randomBytes(8).toString("hex")}`,
  AWS_SECRET_ACCESS_KEY: `aws-${randomBytes(8).toString("hex")}`,
  SOME_OTHER_TOKEN: `other-${randomBytes(8).toString("hex")}`
}
type Secret = keyof typeof secrets | "FOOTNOTE_API_KEY" | "DATABASE_URL" | "DATABASE_OWNER_URL"

const blobs: ReadonlyArray<Secret> = ["DATABASE_URL", "BLOB_S3_SECRET_ACCESS_KEY", "AWS_SECRET_ACCESS_KEY"]

/** Group that a decoder of its own user reads its input by, where the worker is root. */
const decoders = 65_533

/** Each kind of process by a piece of its command line, and the secrets that it may hold. */
const kinds: ReadonlyArray<readonly [kind: string, holds: ReadonlyArray<Secret>]> = [
  ["src/main.ts", [
    "DATABASE_OWNER_URL",
    "FOOTNOTE_ENCRYPTION_KEY",
    "FOOTNOTE_SIGNING_KEY",
    "FOOTNOTE_API_KEY",
    ...blobs
  ]],
  ["workers/main.ts delivery", ["FOOTNOTE_ENCRYPTION_KEY", ...blobs]],
  ["workers/main.ts media", ["SOURCE_S3_SECRET_ACCESS_KEY", ...blobs]],
  ["workers/main.ts speech", blobs],
  ["workers/main.ts vision", blobs],
  ["workers/main.ts extraction", ["FOOTNOTE_LLM_KEY", ...blobs]],
  ["speech-compute.ts", []],
  ["vision-compute.ts", []],
  ["extraction-compute.ts", []],
  // The guard of the database's server, which has its folder's name in its command line, too.
  ["sh -c ", []],
  ["postgres", []],
  ["ffmpeg", []]
]
const kindOf = (command: string) => kinds.find(([kind]) => command.includes(kind))?.[0] ?? command

const told = (names: Iterable<string>) => [...names].toSorted()

const environmentOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8")
  } catch {
    // It has ended meanwhile.
    return ""
  }
}

/** Files and folders that others than their owner can read, with their modes; a decoder of its own user reads by its group. */
const open = (root: string): ReadonlyArray<string> =>
  readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name)
    const { gid, mode } = lstatSync(path)
    const wrong = entry.isSymbolicLink() || entry.isSocket() ? 0 : mode & (gid === decoders ? 0o007 : 0o077)
    return wrong === 0 ? [] : [`${path} ${(mode & 0o777).toString(8)}`]
  })

describe.skipIf(!existsSync("/proc/self/environ"))("a running service", () => {
  it.live(
    "gives each process the keys of its role and no others, and writes nothing that others than its user can read",
    () =>
      Effect.gen(function*() {
        const usual = process.umask(0o022)
        yield* Effect.addFinalizer(() => Effect.sync(() => process.umask(usual)))
        const { api_key, client, database_url, folder, service_url } = yield* deployment({
          worker_groups: [["media"], ["speech"], ["vision"], ["extraction"], ["delivery"]],
          env: secrets
        })
        const texts: Readonly<Record<string, string>> = {
          ...secrets,
          FOOTNOTE_API_KEY: api_key,
          DATABASE_URL: service_url,
          DATABASE_OWNER_URL: database_url
        }
        const canaries = Object.entries(texts).filter(([name]) => !name.endsWith("_ID"))
        const seen = new Map<string, Set<string>>()
        const look = Effect.sync(() => {
          for (const { command, pid } of descendants()) {
            // Whoever starts the service has been given everything.
            if (pid === process.pid) continue
            const held = seen.get(kindOf(command)) ?? new Set()
            seen.set(kindOf(command), held)
            const environment = environmentOf(pid)
            for (const [name, text] of canaries) if (environment.includes(text)) held.add(name)
          }
        })
        const { id } = yield* submit(client, yield* shortClip(folder), {})
        // Decoders live for tenths of a second, the models until the job's end.
        yield* Effect.repeat(look, {
          schedule: Schedule.spaced("20 millis"),
          until: () => kinds.every(([kind]) => seen.has(kind))
        })
        assert.deepStrictEqual(
          Object.fromEntries([...seen].map(([kind, held]) => [kind, told(held)])),
          Object.fromEntries([...seen].map(([kind]) => [kind, told(new Map(kinds).get(kind) ?? [])]))
        )

        const job = yield* finished(client, id)
        assert.strictEqual(job.status, "succeeded", JSON.stringify(job.error))
        // Uploads, sources, frames, artifacts and logs, with the usual umask of a shell.
        assert.isAbove(readdirSync(join(folder, "blobs"), { recursive: true }).length, 10)
        assert.deepStrictEqual(open(folder).filter((line) => !line.includes("/short.mp4 ")), [])
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
    600_000
  )
})
