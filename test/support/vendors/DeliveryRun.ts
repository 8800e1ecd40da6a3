import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { type Config, ConfigProvider, Effect, FileSystem, Layer, Logger, Redacted } from "effect"
import { Sealing } from "../../../src/crypto/Sealing.ts"
import { Database } from "../../../src/database/Database.ts"
import { Connectors, SettleSeconds } from "../../../src/deliveries/connectors/Connectors.ts"
import { VendorRateLimits } from "../../../src/deliveries/connectors/VendorRateLimit.ts"
import { DestinationHealth } from "../../../src/deliveries/destinations/DestinationHealth.ts"
import { placeOf } from "../../../src/deliveries/destinations/OpenDestination.ts"
import { DeliveryQueue } from "../../../src/deliveries/queue/DeliveryQueue.ts"
import { newId, type TenantId } from "../../../src/identity/Id.ts"
import * as Engine from "../../../src/jobs/Engine.ts"
import * as Blobs from "../../../src/storage/Blobs.ts"
import { makeDelivery } from "../../../workers/delivery/DeliveryStage.ts"
import { runDelivery } from "../../../workers/engine/StageRunner.ts"
import { runWorker } from "../../../workers/engine/Worker.ts"
import { imaginedSpec } from "../NoopStages.ts"
import * as TestDatabase from "../TestDatabase.ts"
import { isToldAtLeastOnce, type Kind, type openVendors } from "./Vendors.ts"

/** What came of the deliveries of one kind. */
interface KindCount {
  readonly kind: Kind
  readonly jobs: number
  readonly rows: number
  /** Distinct ids at the vendor. */
  readonly distinct: number
  /** More than one row for an id; of kinds that can only be told, how often one was told again. */
  readonly again: number
  readonly lost: number
  /** Deliveries that are not `succeeded`. */
  readonly unfinished: number
  readonly attempts: number
  /** Attempts that began although it was on the books that the vendor had asked to wait. */
  readonly too_early: number
  readonly exactly_once: boolean
}

/** Written down by PostgreSQL itself: when attempts began, and since when and until when an endpoint was to be left alone. */
const watchWaits = (url: Redacted.Redacted) =>
  Effect.flatMap(PgClient.PgClient, (sql) =>
    sql.unsafe(`DO $do$ BEGIN
      CREATE TABLE footnote.run_begins (endpoint text, at timestamptz);
      CREATE TABLE footnote.run_waits (endpoint text, at timestamptz, until timestamptz);
      CREATE FUNCTION footnote.run_note_begin() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
        INSERT INTO footnote.run_begins VALUES (NEW.endpoint, clock_timestamp()); RETURN NEW; END $$;
      CREATE FUNCTION footnote.run_note_wait() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
        INSERT INTO footnote.run_waits VALUES (NEW.id, clock_timestamp(), NEW.blocked_until); RETURN NEW; END $$;
      CREATE TRIGGER note_begin AFTER UPDATE ON footnote.deliveries FOR EACH ROW
        WHEN (NEW.begun > OLD.begun) EXECUTE FUNCTION footnote.run_note_begin();
      CREATE TRIGGER note_wait AFTER UPDATE ON footnote.endpoints FOR EACH ROW
        WHEN (NEW.blocked_until IS DISTINCT FROM OLD.blocked_until) EXECUTE FUNCTION footnote.run_note_wait();
      GRANT SELECT ON footnote.run_begins, footnote.run_waits TO PUBLIC;
    END $do$`)).pipe(Effect.provide(PgClient.layer({ url: TestDatabase.asOwner(url), maxConnections: 1 })))

const services = (env: Readonly<Record<string, string>>, settle: { readonly notion: number; readonly slack: number }) =>
  Layer.unwrap(Effect.gen(function*() {
    const url = yield* Effect.promise(TestDatabase.create)
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped({ prefix: "footnote-deliveries-" })
    return DestinationHealth.layer.pipe(
      Layer.provideMerge(Layer.mergeAll(Engine.layerWorker, Connectors.layer)),
      Layer.provideMerge(Layer.mergeAll(
        Database.layerUrl(url, { maxConnections: 16 }),
        Blobs.layerFileSystem(folder),
        Sealing.layerKey(Redacted.make(new Uint8Array(32).fill(7)))
      ))
    )
  })).pipe(
    Layer.provide(Layer.succeed(SettleSeconds, settle)),
    Layer.provideMerge(ConfigProvider.layer(ConfigProvider.fromUnknown(env))),
    Layer.provideMerge(NodeServices.layer),
    Layer.provideMerge(Logger.layer([]))
  )

/** Faster than any vendor allows, so that a run is over before long. */
const fast = { per_second: 500, burst: 50 }

const addDestinations = Effect.fnUntraced(function*(
  tenant_id: TenantId,
  kinds: ReadonlyArray<Kind>,
  targets: Awaited<ReturnType<typeof openVendors>>["target"]
) {
  const sql = yield* PgClient.PgClient
  const sealing = yield* Sealing
  return yield* Effect.forEach(kinds, (kind) =>
    Effect.gen(function*() {
      const id = yield* newId("dst")
      const { config, secrets, type } = targets[kind]
      const sealed = sealing.seal(JSON.stringify(config), placeOf({ id, tenant_id }, "config"))
      const [secret] = secrets
      const signing_secret = secret === undefined
        ? null
        : sealing.seal(secret, placeOf({ id, tenant_id }, "signing_secret"))
      yield* sql`INSERT INTO footnote.destinations (id, tenant_id, name, type, config, signing_secret)
        VALUES (${id}, ${tenant_id}, ${kind}, ${type}, ${sealed}, ${signing_secret})`
      return id
    }))
})

/** Jobs that have just succeeded, each with the same result. Their deliveries are made as the last stage's end makes them. */
const addJobs = Effect.fnUntraced(
  function*(tenant_id: TenantId, count: number, destination_ids: ReadonlyArray<string>) {
    const sql = yield* PgClient.PgClient
    const blobs = yield* Blobs.Blobs
    const deliveryQueue = yield* DeliveryQueue
    const { key, sha256, size_bytes } = yield* blobs.put(
      "results/shared",
      new TextEncoder().encode(JSON.stringify({ title: "Orbits", price: 12.5, sold: true, note: "Two people talk." }))
    )
    yield* Effect.forEach(Array.from({ length: count }), () =>
      sql.withTransaction(Effect.gen(function*() {
        const id = yield* newId("job")
        yield* sql`INSERT INTO footnote.jobs
          (id, tenant_id, status, spec, destination_ids, admitted_at, started_at, finished_at)
        VALUES (${id}, ${tenant_id}, 'succeeded', ${JSON.stringify(imaginedSpec())}::json,
          ${JSON.stringify(destination_ids)}::jsonb, now(), now(), now())`
        yield* sql`INSERT INTO footnote.artifacts ${
          sql.insert({ job_id: id, kind: "result", key, sha256, size_bytes })
        }`
        yield* deliveryQueue.enqueue({ id, tenant_id, weight: 1 }, "succeeded")
      })), { discard: true })
  }
)

/**
 * Delivers the results of `jobs` jobs to one destination of each kind, by a worker of the real code over a database of its
 * own, and counts what the vendors hold in the end. With `watch` it is told how many deliveries are open.
 */
export const deliverJobs = (options: {
  readonly vendors: Awaited<ReturnType<typeof openVendors>>
  readonly kinds: ReadonlyArray<Kind>
  readonly jobs: number
  readonly schedule: string
  readonly settle: { readonly notion: number; readonly slack: number }
  readonly watch?: (open: number) => void
}) =>
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    yield* watchWaits((yield* Database).url)
    const tenant_id = yield* newId("ten")
    yield* sql`INSERT INTO footnote.tenants (id, name) VALUES (${tenant_id}, 'vendors')`
    const ids = yield* addDestinations(tenant_id, options.kinds, options.vendors.target)
    yield* addJobs(tenant_id, options.jobs, ids)
    const deliver = yield* makeDelivery.pipe(
      Effect.provideService(VendorRateLimits, { notion: fast, slack: fast, sheets: fast })
    )
    yield* Effect.forkScoped(
      runWorker({ pools: [{ pool: "delivery", slots: 16, handle: runDelivery(deliver) }], drain_seconds: 1 })
    )
    yield* Effect.repeat(
      Effect.delay(
        Effect.map(
          sql<{ readonly open: number }>`
            SELECT count(*)::int AS open FROM footnote.deliveries WHERE finished_at IS NULL`,
          ([row]) => row!.open
        ).pipe(Effect.tap((open) => Effect.sync(() => options.watch?.(open)))),
        "250 millis"
      ),
      { until: (open) => open === 0 }
    )
    const early = yield* sql<{ readonly endpoint: string; readonly count: number }>`
      SELECT b.endpoint, count(*)::int AS count FROM footnote.run_begins b
      WHERE EXISTS (SELECT FROM footnote.run_waits w WHERE w.endpoint = b.endpoint AND b.at > w.at AND b.at < w.until)
      GROUP BY 1`
    return yield* Effect.forEach(options.kinds, (kind, at) =>
      Effect.gen(function*() {
        const [row] = yield* sql<{ readonly unfinished: number; readonly attempts: number }>`
          SELECT count(*) FILTER (WHERE status <> 'succeeded')::int AS unfinished,
            (SELECT count(*)::int FROM footnote.delivery_attempts a JOIN footnote.deliveries d ON d.id = a.delivery_id
              WHERE d.destination_id = ${ids[at]!}) AS attempts
          FROM footnote.deliveries WHERE destination_id = ${ids[at]!}`
        const held = options.vendors.held(kind)
        const distinct = new Set(held).size
        return {
          kind,
          jobs: options.jobs,
          rows: held.length,
          distinct,
          again: held.length - distinct,
          lost: options.jobs - distinct,
          ...row!,
          too_early: early.find(({ endpoint }) => endpoint === ids[at])?.count ?? 0,
          exactly_once: !isToldAtLeastOnce(kind)
        } satisfies KindCount
      }))
  }).pipe(
    Effect.scoped,
    Effect.provide(services({ ...options.vendors.env, FOOTNOTE_DELIVERY_SCHEDULE: options.schedule }, options.settle)),
    Effect.mapError((error) => error as Config.ConfigError)
  )
