import { type Config, Console, Effect, Layer, Option, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { databaseAddresses } from "../database/Database.ts"
import { memoryVerdict } from "../model-stacks/MemoryNeeded.ts"
import { ModelStore } from "../model-stacks/ModelStore.ts"
import { isReaderInstalled, READER_INSTALL } from "../model-stacks/ReaderRuntime.ts"
import { nameOf } from "../model-stacks/StackFiles.ts"
import { checkConfiguration } from "../observability/Configuration.ts"
import type { Pool } from "../processes/Pools.ts"
import { Blobs } from "../storage/Blobs.ts"
import { layerBlobStore } from "../storage/BlobStore.ts"
import { checkBlobStore } from "./BlobStoreMark.ts"
import { checkClock } from "./ClockSkew.ts"
import { checkDatabase, type DatabaseState } from "./DatabaseState.ts"
import { checkEncryptionKey } from "./KeyMark.ts"
import { checkModelStacks } from "./ModelMark.ts"
import type { Look } from "./Problem.ts"

/** What one look found: a sentence, with the cure where something is to be mended. */
export interface Finding {
  readonly what: string
  readonly ok: boolean
  readonly message: string
}

type Bad = Pick<Finding, "message">

const messageOf = (error: unknown): string => error instanceof Error ? error.message : String(error)

/** A look that itself fails is a finding, too: whoever asks has to know what could not be seen. */
const finding = <E, R>(
  what: string,
  look: Effect.Effect<string | Bad | undefined, E, R>,
  good = "as the deployment's"
) =>
  look.pipe(
    Effect.map((found): Finding =>
      typeof found === "object"
        ? { what, ok: false, message: found.message }
        : { what, ok: true, message: found ?? good }
    ),
    Effect.catch((error) => Effect.succeed<Finding>({ what, ok: false, message: messageOf(error) })),
    Effect.catchDefect((defect) => Effect.succeed<Finding>({ what, ok: false, message: messageOf(defect) }))
  )

const room = Effect.gen(function*() {
  const blobs = yield* Blobs
  yield* blobs.roomForMore
  return "reachable, with room"
})

/** A stack's language model that was fetched is of no use without its runtime. */
const readers = Effect.gen(function*() {
  const store = yield* ModelStore
  const named = store.stacks.filter(({ roles }) => roles.reader !== undefined)
  const states = yield* Effect.forEach(named, (stack) => store.inspectWith(stack, ["reader"]))
  const here = states.filter(({ files, stack }) => {
    const own = new Set(Object.values(stack.roles.reader!.files).map(nameOf))
    return files.every(({ name, state }) => !own.has(name) || state === "ready")
  }).map(({ stack }) => stack.id)
  if (here.length === 0) return "no stack's is fetched"
  return isReaderInstalled()
    ? `that of ${here.join(", ")}`
    : { message: `That of ${here.join(", ")} is fetched, and its runtime is not installed: ${READER_INSTALL}` }
})

/** What is fetched and ready is not yet what this machine can hold. */
const memory = Effect.gen(function*() {
  const store = yield* ModelStore
  const states = yield* Effect.forEach(store.stacks, store.inspect)
  const verdicts = states.filter(({ ready }) => ready).map((state) => memoryVerdict(state))
  const large = verdicts.filter(({ enough }) => !enough)
  return large.length === 0
    ? "enough for every stack that is here, as far as its files tell"
    : { message: large.map(({ message }) => message).join(" ") }
})

const served = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly pool: Pool; readonly workers: number }>`
    SELECT pool, (SELECT count(*)::int FROM footnote.workers w
      WHERE w.seen_at > now() - interval '30 seconds' AND w.pools ? pool) AS workers FROM footnote.pool_backlog`
  const without = rows.filter(({ workers }) => workers === 0).map(({ pool }) => pool)
  const [ailing] = yield* sql<{ readonly hosts: string | null }>`
    SELECT string_agg(host || ' (' || (SELECT string_agg(code, ', ') FROM jsonb_array_elements_text(problems) code) || ')', ', ')
      AS hosts FROM footnote.workers WHERE seen_at > now() - interval '30 seconds' AND problems <> '[]'`
  if (ailing!.hosts !== null) {
    return { message: `A worker differs from its deployment: ${ailing!.hosts}. Its log has the cure` }
  }
  if (without.length === 0) return rows.map(({ pool, workers }) => `${pool} ${workers}`).join(", ")
  const commands = [without.filter((pool) => pool !== "delivery"), without.filter((pool) => pool === "delivery")]
    .filter((served) => served.length > 0).map((served) => `node workers/main.ts ${served.join(" ")}`)
  return {
    message: `No worker serves ${without.join(", ")} now: start ${
      commands.join(" and ")
    }, unless they are scaled to zero`
  }
})

const blobStore = (adopt: boolean) =>
  finding("blob store", checkBlobStore(adopt ? "adopt" : "look").pipe(Effect.provide(layerBlobStore)))

const clock = finding("clock", checkClock, "the database's, within a minute")

const ofApi = Effect.all([
  finding("blob store's room", room.pipe(Effect.provide(layerBlobStore))),
  finding("encryption key", checkEncryptionKey),
  finding(
    "model files",
    checkModelStacks.pipe(Effect.provide(ModelStore.layer)),
    "every stack that the API offers is here"
  ),
  finding("reader", readers.pipe(Effect.provide(ModelStore.layer))),
  finding("memory", memory.pipe(Effect.provide(ModelStore.layer))),
  finding("workers", served)
])

/** What is looked at. */
export interface Examination<E, R> {
  readonly configuration: ReadonlyArray<Config.Config<unknown>>
  /** The blob store that is seen here becomes the deployment's. */
  readonly adopt: boolean
  /** Of a worker: what it compares before it takes tasks, and nothing else. Without it, what the API needs, and the workers. */
  readonly looks?: ReadonlyArray<Look<E, R>>
}

/**
 * Looks at everything that a process here would stumble over, changes nothing (but the mark of the blob store where that is to be
 * adopted) and answers a finding for each. What cannot be looked at is a finding, not a failure.
 */
export const examine = Effect.fn("Doctor.examine")(
  function*<E = never, R = never>({ adopt, configuration, looks }: Examination<E, R>) {
    const first = [yield* finding("configuration", checkConfiguration(configuration), "every variable can be used")]
    const { url } = yield* databaseAddresses.pipe(
      Effect.orElseSucceed(() => ({ url: Option.none<Redacted.Redacted>() }))
    )
    if (Option.isNone(url)) {
      const message = "DATABASE_URL is not set: the service would use a private PostgreSQL of this machine alone"
      return [...first, { what: "database", ok: false, message }]
    }
    const compared = looks === undefined
      ? ofApi
      : Effect.forEach(looks, ({ look, what }) => finding(what, look))
    const ofDatabase = ({ client, migrations }: DatabaseState) =>
      Effect.gen(function*() {
        const message = `${migrations} migrations, the service's roles, sessions of its own`
        return [{ what: "database", ok: true, message }, yield* clock, yield* blobStore(adopt), ...yield* compared]
      }).pipe(Effect.provide(Layer.succeedContext(client)))
    return yield* checkDatabase(url.value).pipe(
      Effect.flatMap(ofDatabase),
      Effect.catch((error) => Effect.succeed([{ what: "database", ok: false, message: messageOf(error) }])),
      Effect.map((others): ReadonlyArray<Finding> => [...first, ...others]),
      Effect.scoped
    )
  }
)

/** Prints the findings, one a line; answers whether all are well. */
export const print = (findings: ReadonlyArray<Finding>) =>
  Effect.as(
    Effect.forEach(findings, ({ message, ok, what }) => Console.log(`${ok ? "ok  " : "FAIL"} ${what}: ${message}`)),
    findings.every(({ ok }) => ok)
  )
