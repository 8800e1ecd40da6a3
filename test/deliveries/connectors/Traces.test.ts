import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Logger, References, Tracer } from "effect"
import { inspect } from "node:util"
import { Connectors } from "../../../src/deliveries/connectors/Connectors.ts"
import type { DestinationTarget } from "../../../src/deliveries/model/DestinationConfig.ts"
import type { Fault } from "../../support/vendors/FakeHttp.ts"
import { kinds, openVendors, payloadOf } from "../../support/vendors/Vendors.ts"

/** Of what a span ended with exporters tell a failure, and never the value of a success. */
const told = ({ attributes, events, links, name, status }: Tracer.NativeSpan) => [
  name,
  attributes,
  events,
  links,
  status._tag === "Ended" && Exit.isFailure(status.exit) ? status.exit.cause : undefined
]

/** Everything that a collector could be told: of spans their names, attributes, events and ends, and every line of a log. */
const recorder = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const lines: Array<unknown> = []
  const layer = Layer.mergeAll(
    Layer.succeed(
      Tracer.Tracer,
      Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
    ),
    Logger.layer([Logger.make(({ cause, message }) => lines.push([message, cause]))]),
    Layer.succeed(References.MinimumLogLevel, "All")
  )
  return {
    layer,
    spans,
    text: () => inspect([spans.map(told), lines], { depth: null, maxArrayLength: null, maxStringLength: null })
  }
}

const faults: ReadonlyArray<Fault | undefined> = [
  undefined,
  { kind: "429", retry_after: 3 },
  { kind: "500_before" },
  { kind: "close_before" },
  { kind: "redirect" }
]

/** Under what no receiver is told our traces. */
const traceHeaders = ["traceparent", "tracestate", "b3", "baggage", "x-b3-traceid"]

describe.each(kinds)("spans and logs of requests to %s", (kind) => {
  it.live("hold no address, no credential and no body, and their ids go to nobody", () =>
    Effect.gen(function*() {
      for (const fault of faults) {
        const all = yield* Effect.acquireRelease(
          Effect.promise(() => openVendors({ faultOf: () => fault })),
          ({ close }) => Effect.promise(close)
        )
        const target: DestinationTarget = kind === "webhook"
          ? {
            ...all.target.webhook,
            config: {
              url: `${all.target.webhook.config.url}?token=hush`,
              headers: { authorization: "Basic aHVzaDpodXNo" }
            }
          }
          : all.target[kind]
        const { layer, spans, text } = recorder()
        yield* Effect.gen(function*() {
          const { check, deliver } = Context.get(yield* Layer.build(all.connectors), Connectors)
          yield* deliver(target, payloadOf(7), {
            number: 1,
            unsure_from: null,
            unsure_until: null,
            settled: [],
            begun_after: 0,
            others: 0
          })
          yield* check(target)
        }).pipe(Effect.withSpan("outside"), Effect.provide(layer))

        const said = text()
        const sent = spans.filter(({ name }) => name === "Egress.send")
        assert.isAtLeast(sent.length, 2)
        assert.isAtLeast(all.calls.length, 2)
        assert.strictEqual(
          sent[0]!.attributes.get("http.response.status_code") !== undefined,
          fault?.kind !== "close_before"
        )
        const secrets = [
          ...all.calls.flatMap(({ body, headers, path }) => [
            path,
            body,
            ...[headers.authorization ?? "", headers["webhook-signature"] ?? ""].flat().flatMap((value) =>
              value.split(" ")
            )
          ]),
          ...Object.values(target.config).filter((value) => typeof value === "string"),
          ...target.secrets,
          "hush",
          new URL(all.base).host
        ].filter((secret) => secret.length > 3 && !["Basic", "Bearer"].includes(secret))
        for (const secret of secrets) assert.notInclude(said, secret)
        for (const { headers } of all.calls) assert.doesNotHaveAnyKeys(headers, traceHeaders)
      }
    }).pipe(Effect.scoped))
})
