import { Effect } from "effect"
import { availableParallelism, cpus } from "node:os"
import { type Belongings, belongings } from "../test/support/Belongings.ts"
import * as Server from "../test/support/TestServer.ts"
import { median } from "./Median.ts"

/** Medians in milliseconds for an id of another tenant and for one that nobody has, asked in turn. */
export type IsolationReport = Readonly<
  Record<string, { readonly others_ms: number; readonly unknown_ms: number; readonly ratio: number }>
>

const rounds = 200

const rounded = (value: number) => Math.round(value * 1000) / 1000

const routes: Readonly<
  Record<string, (ids: Belongings["ids"]) => readonly ["GET" | "POST" | "DELETE", string, string]>
> = {
  "GET /v1/jobs/{id}": ({ job }) => ["GET", "/v1/jobs/", job[2]!],
  "GET /v1/jobs/{id}/transcript": ({ job }) => ["GET", "/v1/jobs/ID/transcript", job[2]!],
  "POST /v1/jobs/{id}/cancel": ({ job }) => ["POST", "/v1/jobs/ID/cancel", job[0]!],
  "GET /v1/uploads/{id}": ({ upl }) => ["GET", "/v1/uploads/", upl[0]!],
  "GET /v1/schemas/{id}": ({ sch }) => ["GET", "/v1/schemas/", sch[0]!],
  "DELETE /v1/api-keys/{id}": ({ key }) => ["DELETE", "/v1/api-keys/", key[0]!],
  "GET /v1/destinations/{id}": ({ dst }) => ["GET", "/v1/destinations/", dst[0]!],
  "GET /v1/deliveries/{id}": ({ dlv }) => ["GET", "/v1/deliveries/", dlv[0]!]
}

const measure = Effect.gen(function*() {
  const { send, tenant } = yield* Server.TestServer
  const { ids } = yield* belongings("owner")
  const { key } = yield* tenant("asker")
  const report: Record<string, IsolationReport[string]> = {}
  for (const [name, route] of Object.entries(routes)) {
    const [method, path, id] = route(ids)
    const unknown = `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`
    const times: Record<"others" | "unknown", Array<number>> = { others: [], unknown: [] }
    for (let round = 0; round < rounds; round++) {
      // In turn, each first in half of the rounds.
      const pair = [["others", id], ["unknown", unknown]] as const
      for (const [whose, asked] of round % 2 === 0 ? pair : pair.toReversed()) {
        const began = performance.now()
        yield* send(method, path.includes("ID") ? path.replace("ID", asked) : `${path}${asked}`, { key })
        if (round >= rounds / 10) times[whose].push(performance.now() - began)
      }
    }
    const [others, none] = [median(times.others), median(times.unknown)]
    report[name] = { others_ms: rounded(others), unknown_ms: rounded(none), ratio: rounded(others / none) }
  }
  return report
})

/** Whether the time of an answer tells that an id exists: the medians beside each other, over HTTP. */
export const run = async (): Promise<IsolationReport> => {
  const report = await Effect.runPromise(Effect.provide(measure, Server.layer))
  console.table(report)
  console.log(`${availableParallelism()} × ${cpus()[0]?.model ?? "unknown processor"}, Node ${process.version}`)
  return report
}

if (import.meta.main) {
  await run()
  // The database that tests share goes with its process.
  process.exit(0)
}
