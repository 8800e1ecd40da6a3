import { Effect, Redacted } from "effect"
import { PgBoss } from "pg-boss"
import { pools } from "../processes/Pools.ts"
import { stageRetries } from "../retries/RetryPolicy.ts"

/** The dead letter queue: where tasks end whose last attempt died with its worker. */
export const deadLetterQueue = "dead"

/**
 * Attempts by `stageRetries`. A lease lives 10 s without a heartbeat (the engine's minimum). A completed row is kept for an
 * hour, to look at.
 */
const queueOptions = {
  policy: "standard",
  retryLimit: stageRetries.attempts - 1,
  retryDelay: stageRetries.first_seconds,
  retryBackoff: true,
  retryDelayMax: stageRetries.longest_seconds,
  heartbeatSeconds: 10,
  expireInSeconds: 3600,
  deleteAfterSeconds: 3600,
  deadLetter: deadLetterQueue
} as const

/** What the role that works with the queues needs; given anew after each installation, because that may add tables. */
export const grants = (role: string): ReadonlyArray<string> => [
  `GRANT USAGE ON SCHEMA pgboss TO ${role}`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA pgboss TO ${role}`,
  `GRANT USAGE ON ALL SEQUENCES IN SCHEMA pgboss TO ${role}`
]

/** Changes when the engine's package, a queue's options or the rights change; then the next migration step installs again. */
export const fingerprint = JSON.stringify(["pg-boss 12.38.0", pools, queueOptions, grants("")])

/**
 * Creates or upgrades the queue engine's own tables and our queues. Runs in the migration step only, under its lock;
 * everything else starts the engine with migration off. Its SQL holds several statements per message, which only the
 * node-postgres driver sends.
 */
export const install = (url: Redacted.Redacted) =>
  Effect.promise(async () => {
    const boss = new PgBoss({
      connectionString: Redacted.value(url),
      application_name: "footnote queue migration",
      schedule: false,
      supervise: false,
      max: 1
    })
    boss.on("error", () => {})
    await boss.start()
    try {
      const known = new Set((await boss.getQueues()).map((queue) => queue.name))
      if (!known.has(deadLetterQueue)) await boss.createQueue(deadLetterQueue, { policy: "standard" })
      const { policy: _, ...changeable } = queueOptions
      for (const pool of pools) {
        if (known.has(pool)) await boss.updateQueue(pool, changeable)
        else await boss.createQueue(pool, queueOptions)
      }
    } finally {
      await boss.stop({ graceful: false })
    }
  })
