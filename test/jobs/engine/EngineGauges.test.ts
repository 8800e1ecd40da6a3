import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { pools } from "../../../src/processes/Pools.ts"
import * as Server from "../../support/TestServer.ts"

const { TestServer } = Server

interface Backlog {
  readonly pool: string
  readonly waiting: number
  readonly active: number
  readonly oldest_seconds: number
}

/** The value of a sample, by its name and labels as Prometheus writes them. */
const sample = (text: string, name: string) => {
  const line = text.split("\n").find((one) => one.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length))
}

layer(Server.layerWithoutJanitor, { excludeTestServices: true })("GET /metrics", (it) => {
  it.effect("tells how many tasks wait in which pool, for how long, who holds slots, and which deliveries are open", () =>
    Effect.gen(function*() {
      const { send, sql, tenant } = yield* TestServer
      const { key, tenant_id } = yield* tenant("a")
      for (const name of ["a", "b", "c", "d", "e", "f"]) {
        const json = { source_uri: `https://example.com/${name}.mp4`, webhook_url: "https://example.com/hook" }
        assert.strictEqual((yield* send("POST", "/v1/jobs", { key, json })).status, 201)
      }
      yield* sql(`UPDATE footnote.tasks SET created_at = now() - interval '100 seconds'
        WHERE job_id = (SELECT min(id) FROM footnote.jobs WHERE tenant_id = '${tenant_id}')`)
      yield* sql(
        "INSERT INTO footnote.workers (no, pools, host, pid) VALUES (777, '[\"fetch\", \"media\", \"vision\"]', 'test', 1)"
      )
      const list = yield* send("GET", "/v1/jobs?limit=1", { key })
      yield* send("POST", `/v1/jobs/${list.json.data[0].id}/cancel`, { key })
      const { text } = yield* send("GET", "/metrics")
      // Four of the tenant's jobs may run at once, and the newest one, which had no slot, is cancelled.
      assert.strictEqual(sample(text, `footnote_queue_tasks{pool="fetch"}`), 4, text)
      assert.isAtLeast(sample(text, `footnote_queue_oldest_seconds{pool="fetch"}`)!, 100)
      assert.strictEqual(sample(text, `footnote_queue_tasks{pool="speech"}`), 0)
      assert.strictEqual(sample(text, `footnote_workers{pool="media"}`), 1)
      assert.strictEqual(sample(text, `footnote_workers{pool="speech"}`), 0)
      assert.strictEqual(sample(text, "footnote_slots_in_use"), 4)
      assert.strictEqual(sample(text, "footnote_slots_awaited"), 1)
      assert.strictEqual(sample(text, `footnote_jobs{status="queued"}`), 5)
      assert.strictEqual(sample(text, `footnote_deliveries{status="pending"}`), 1)
      assert.isAtLeast(sample(text, `footnote_jobs_finished_total{status="cancelled"}`)!, 1)
      assert.notInclude(text, tenant_id)
    }))

  it.effect("leaves out what is over: tasks of a cancelled job neither wait nor are held, whoever held them", () =>
    Effect.gen(function*() {
      const { send, sql, tenant } = yield* TestServer
      const { key, tenant_id } = yield* tenant("b")
      yield* sql("UPDATE footnote.tasks SET created_at = now()")
      const before = sample((yield* send("GET", "/metrics")).text, `footnote_queue_tasks{pool="fetch"}`)!
      const made = yield* Effect.forEach(
        ["g", "h"],
        (name) => send("POST", "/v1/jobs", { key, json: { source_uri: `https://example.com/${name}.mp4` } })
      )
      const [held, waits] = made.map(({ json }) => json.id as string)
      yield* sql(`UPDATE footnote.tasks t SET created_at = now() - interval '7000 seconds' FROM footnote.jobs j
        WHERE j.id = t.job_id AND j.tenant_id = '${tenant_id}'`)
      yield* sql(`UPDATE footnote.tasks SET worker = 999 WHERE job_id = '${held}'`)
      yield* send("POST", `/v1/jobs/${held}/cancel`, { key })
      yield* send("POST", `/v1/jobs/${waits}/cancel`, { key })
      yield* send("POST", "/v1/jobs", { key, json: { source_uri: "https://example.com/i.mp4" } })
      // The gauges are read at most once a second: these have seen the last job.
      const { text } = yield* send("GET", "/metrics").pipe(
        Effect.repeat({ until: ({ text }) => text.includes("footnote_slots_in_use 5") })
      )
      assert.strictEqual(sample(text, `footnote_queue_tasks{pool="fetch"}`), before + 1)
      assert.isBelow(sample(text, `footnote_queue_oldest_seconds{pool="fetch"}`)!, 6000)
      assert.strictEqual(sample(text, `footnote_tasks_held{pool="fetch"}`), 0)
    }))

  it.effect("agrees with footnote.pool_backlog, which has a row for every pool and counts a retry once it is due", () =>
    Effect.gen(function*() {
      const { send, sql, tenant } = yield* TestServer
      const { key, tenant_id } = yield* tenant("c")
      for (const name of ["k", "l", "m"]) {
        yield* send("POST", "/v1/jobs", { key, json: { source_uri: `https://example.com/${name}.mp4` } })
      }
      const mine = `job_id IN (SELECT id FROM footnote.jobs WHERE tenant_id = '${tenant_id}')`
      // Whatever other tests left is none of this one's.
      yield* sql(`DELETE FROM footnote.tasks WHERE NOT (${mine})`)
      const ids = (yield* sql<{ readonly id: string }>(`SELECT id FROM footnote.tasks WHERE ${mine} ORDER BY id`))
        .map(({ id }) => id)
      yield* sql(`UPDATE footnote.tasks SET worker = 999 WHERE id = '${ids[0]}'`)
      yield* sql(`UPDATE footnote.tasks SET delayed = true, created_at = now() - interval '1 hour',
        due_at = now() - interval '10 seconds' WHERE id = '${ids[1]}'`)
      yield* sql(`UPDATE footnote.tasks SET delayed = true, due_at = now() + interval '1 hour' WHERE id = '${ids[2]}'`)
      const rows = yield* sql<Backlog>("SELECT * FROM footnote.pool_backlog")
      assert.sameMembers(rows.map(({ pool }) => pool), [...pools])
      assert.deepInclude(rows.find(({ pool }) => pool === "fetch"), { waiting: 1, active: 1 })
      const { text } = yield* send("GET", "/metrics").pipe(
        Effect.repeat({ until: ({ text }) => sample(text, `footnote_tasks_held{pool="fetch"}`) === 1 })
      )
      for (const { active, oldest_seconds, pool, waiting } of rows) {
        assert.strictEqual(sample(text, `footnote_queue_tasks{pool="${pool}"}`), waiting)
        assert.strictEqual(sample(text, `footnote_tasks_held{pool="${pool}"}`), active)
        const oldest = sample(text, `footnote_queue_oldest_seconds{pool="${pool}"}`)!
        // The age since it was due, not the hour since it was made.
        assert.isTrue(pool === "fetch" ? oldest >= 10 && oldest < 1800 : oldest === oldest_seconds, String(oldest))
      }
    }))

  it.effect("counts what is made of a source after its job is over: a pool at zero is woken for it, and kept until it is done", () =>
    Effect.gen(function*() {
      const { sql, tenant } = yield* TestServer
      const { tenant_id } = yield* tenant("d")
      const backlog = sql("SELECT waiting, active FROM footnote.pool_backlog WHERE pool = 'media'")
      yield* sql("DELETE FROM footnote.tasks WHERE pool = 'media'")
      yield* sql(`INSERT INTO footnote.jobs (id, tenant_id, spec, status, admitted_at, finished_at)
        VALUES ('job_over', '${tenant_id}', '{}', 'cancelled', now(), now())`)
      yield* sql(`INSERT INTO footnote.tasks (id, job_id, pool, stage, idx, tag, input)
        VALUES (gen_random_uuid(), 'job_over', 'media', 'render', 0, 0, '{}'), (gen_random_uuid(), 'job_over', 'media', 'frames', 0, 0, '{}')`)
      assert.deepStrictEqual(yield* backlog, [{ waiting: 1, active: 0 }])
      yield* sql("UPDATE footnote.tasks SET worker = 999 WHERE job_id = 'job_over'")
      assert.deepStrictEqual(yield* backlog, [{ waiting: 0, active: 1 }])
      yield* sql("UPDATE footnote.tasks SET done = true, worker = NULL WHERE job_id = 'job_over'")
      assert.deepStrictEqual(yield* backlog, [{ waiting: 0, active: 0 }])
    }))

  it.effect("lets a scaler's login read the backlog and nothing else", () =>
    Effect.gen(function*() {
      const { sql } = yield* TestServer
      yield* sql(`DO $$ BEGIN
        BEGIN CREATE ROLE test_scaler; EXCEPTION WHEN duplicate_object THEN NULL; END;
        GRANT USAGE ON SCHEMA footnote TO test_scaler;
        GRANT SELECT ON footnote.pool_backlog TO test_scaler;
      END $$`)
      const [found] = yield* sql(`
        SELECT has_table_privilege('test_scaler', 'footnote.pool_backlog', 'SELECT') AS backlog,
          has_table_privilege('test_scaler', 'footnote.jobs', 'SELECT') AS jobs,
          has_table_privilege('footnote_tenant', 'footnote.pool_backlog', 'SELECT') AS tenant`)
      assert.deepStrictEqual(found, { backlog: true, jobs: false, tenant: false })
    }))
})
