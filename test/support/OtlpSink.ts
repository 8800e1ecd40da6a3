import { Effect } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export interface SeenSpan {
  readonly service: string
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: Readonly<Record<string, unknown>>
}

interface OtlpAttribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

const attributesOf = (list: ReadonlyArray<OtlpAttribute>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]))

const spansOf = (text: string): ReadonlyArray<SeenSpan> =>
  JSON.parse(text).resourceSpans.flatMap((resource: any) => {
    const service = String(attributesOf(resource.resource.attributes)["service.name"])
    return resource.scopeSpans.flatMap(({ spans }: any) =>
      spans.map((span: any) => ({ ...span, service, attributes: attributesOf(span.attributes) }))
    )
  })

/** A collector of traces in OTLP's JSON over HTTP, for the scope; `until` waits for what it is to have seen. */
export const otlpSink = Effect.gen(function*() {
  const seen: Array<SeenSpan> = []
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk) => chunks.push(chunk))
    request.on("end", () => {
      response.writeHead(200, { "content-type": "application/json" }).end("{}")
      if (request.url !== "/v1/traces") return
      seen.push(...spansOf(Buffer.concat(chunks).toString("utf8")))
      for (const look of waiting) look()
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    until: (enough: (spans: ReadonlyArray<SeenSpan>) => boolean) =>
      Effect.callback<ReadonlyArray<SeenSpan>>((resume) => {
        const look = () => {
          if (!enough(seen)) return
          waiting.delete(look)
          resume(Effect.succeed(seen))
        }
        waiting.add(look)
        look()
        return Effect.sync(() => waiting.delete(look))
      })
  }
})
