import { assert, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const source = fileURLToPath(new URL("../../src/", import.meta.url))

/** Who works across tenants, and why; everyone else has `TenantSql`, which sees one. */
const engine: Readonly<Record<string, string>> = {
  "api-keys/ApiKeys.ts": "authentication: nobody knows yet whose key it is",
  "api-keys/KeyLookup.ts": "part of authentication",
  "api-keys/KeyWatch.ts": "asks of keys and sessions that were let in already whether they still are",
  "api-keys/Sessions.ts": "authentication: nobody knows yet whose session it is",
  "cli/KeysCommand.ts": "the operator's",
  "crypto/Rewrap.ts": "seals every tenant's secrets anew",
  "database/DatabaseClock.ts": "asks for the time",
  "database/Migrations.ts": "makes the tables",
  "database/Roles.ts": "makes the roles",
  "database/RowSecurity.ts": "for migrations",
  "database/DatabaseSession.ts": "asks whether a pooler stands in between, and for no row",
  "database/TenantSql.ts": "makes the tenants' client",
  "database/Transient.ts": "joins whichever transaction it is given, and asks for no row itself",
  "deliveries/DeliveryRequests.ts": "queues what was found in the tenant's scope",
  "deliveries/destinations/DestinationHealth.ts": "workers move it as well",
  "deliveries/destinations/Destinations.ts": "moves the queue with what was found in the tenant's scope",
  "deployment/BlobStoreMark.ts": "the deployment's",
  "deployment/ClockSkew.ts": "the deployment's",
  "deployment/DatabaseState.ts": "the deployment's",
  "deployment/Doctor.ts": "the operator's",
  "deployment/KeyMark.ts": "the deployment's",
  "deployment/ModelMark.ts": "the deployment's",
  "http/handlers/HealthHandlers.ts": "workers and migrations, nothing of a tenant",
  "idempotency/KeyedRequests.ts": "remembers in whichever transaction makes the thing",
  "jobs/Submissions.ts": "asks the same, through GivenSource",
  "jobs/engine/Admission.ts": "weighs tenants against one another",
  "jobs/engine/BatchEnds.ts": "completes a batch with the move of its last job",
  "jobs/engine/EngineGauges.ts": "counts without names",
  "jobs/retention/ErasedBytes.ts": "asks who works from an erased job's bytes, on behalf of Erasure and OrphanedBlobs",
  "jobs/retention/Erasure.ts": "erases what was found in the tenant's scope",
  "jobs/retention/OpenAddresses.ts": "seals what an earlier version wrote, whosever it was",
  "jobs/engine/IdempotencyKeys.ts": "part of the creating transaction",
  "jobs/engine/Intake.ts": "creates and queues in one transaction, slots counted over all tenants",
  "jobs/engine/Janitor.ts": "looks after all tasks",
  "jobs/engine/JobEvents.ts": "written with every move",
  "jobs/GivenSource.ts": "asks whether the creation that held what was given has been committed",
  "jobs/Jobs.ts": "cancels what was found in the tenant's scope",
  "jobs/retention/OrphanedBlobs.ts": "looks for what nobody refers to, whosever it was",
  "jobs/engine/NextSlot.ts": "when a slot becomes free",
  "jobs/engine/FairRelease.ts": "shares the workers between tenants",
  "jobs/engine/RenderTasks.ts": "puts what is to be looked at in line, of a job that was found in the tenant's scope",
  "jobs/retention/Retention.ts": "finds what is past its time",
  "media/OldRenditions.ts": "finds what is past its time",
  "jobs/engine/Tasks.ts": "workers",
  "deliveries/queue/DeliveryQueue.ts": "queues with the move that it tells of",
  "deliveries/queue/WaitingEndpoints.ts": "shares freed places out, tenant by tenant",
  "jobs/engine/Transitions.ts": "moves jobs and queue together",
  "oauth/AuthorizationServer.ts": "before anyone is known",
  "oauth/OutsideIssuer.ts": "before anyone is known",
  "oauth/PayloadStore.ts": "before anyone is known",
  "oauth/SharedSecrets.ts": "the deployment's",
  "queue/Boss.ts": "the queue",
  "queue/Queue.ts": "the queue",
  "queue/Signals.ts": "the queue",
  "rate-limits/RateLimits.ts": "buckets are counted before anything of a tenant is read",
  "rate-limits/TokenBuckets.ts": "no rows of tenants",
  "sources/IncomingUploads.ts": "sweeps what expired",
  "sources/OrphanedUploads.ts": "looks for uploads without a row, which belong to nobody",
  "sources/Uploads.ts": "sweeps what expired",
  "reviews/Speakers.ts": "writes what was found in the tenant's scope, with the job's row held against its erasure",
  "reviews/Reviews.ts": "writes what was found in the tenant's scope, with the job's row held against its erasure",
  "tenants/EarlierModels.ts": "seals anew what an earlier version sealed, for every tenant",
  "tenants/TenantAccounts.ts": "the operator's",
  "tenants/Tenants.ts": "the first start",
  "usage/ledger/StorageQuota.ts": "part of the creating transaction, and asked by workers",
  "tools/ToolSessions.ts": "sessions are found by their own secret",
  "usage/ledger/Charges.ts": "written by workers",
  "usage/ledger/CostQuota.ts": "part of the creating transaction",
  "usage/reports/Estimates.ts": "medians over all tenants where one has too few jobs"
}

it("only what is listed here reaches the database as anyone but one tenant", () => {
  const found = globSync("**/*.ts", { cwd: source })
    .filter((file) => /\b(?:PgClient\.PgClient|SqlClient\.SqlClient)\b/u.test(readFileSync(`${source}${file}`, "utf8")))
  assert.deepStrictEqual(found.toSorted(), Object.keys(engine).toSorted())
})

it("no route's handler and no tool asks the database itself", () => {
  const found = globSync("{api,http,tools}/**/*.ts", { cwd: source })
    .filter((file) =>
      /yield\* (?:TenantSql|PgClient|SqlClient)\b|\bsql(?:<[^`]*>)?`/u.test(readFileSync(`${source}${file}`, "utf8"))
    )
  assert.deepStrictEqual(found.toSorted(), ["http/handlers/HealthHandlers.ts", "tools/ToolSessions.ts"])
})
