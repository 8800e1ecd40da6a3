import { Effect, Redacted } from "effect"
import * as net from "node:net"
import * as TestDatabase from "./TestDatabase.ts"

/** What the proxy does to whoever connects through it. */
export type Fault =
  | { readonly kind: "none" }
  /** Accepts, reads nothing and says nothing; what was said meanwhile is passed on afterwards, as by a server that was stopped. */
  | { readonly kind: "silent" }
  /** Every answer comes so much later. */
  | { readonly kind: "delayed"; readonly millis: number }
  /** The client is told that no more will come; what it says is read by nobody. */
  | { readonly kind: "half-closed" }
  /** Open connections are reset, and later ones as soon as the client says something. */
  | { readonly kind: "reset" }
  /** Answers come a byte at a time. */
  | { readonly kind: "dripping"; readonly millis: number }
  /** Each connection is answered by this and closed, whatever it asks. */
  | { readonly kind: "answered"; readonly bytes: string }

export interface FaultyProxy {
  readonly port: number
  /** From now on, for connections that are open too. */
  readonly set: (fault: Fault) => Effect.Effect<void>
  /** Connections that are open. */
  readonly open: () => number
  /** Succeeds with the next bytes that a client sends. */
  readonly heard: Effect.Effect<void>
}

interface Pair {
  readonly client: net.Socket
  readonly upstream: net.Socket
}

/** What S3 says when it is asked too often. */
export const slowDown = (() => {
  const body =
    "<?xml version=\"1.0\"?><Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"
  return `HTTP/1.1 503 Slow Down\r\nContent-Type: application/xml\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
})()

/** A TCP server before `target` that does to every byte what it was last told to. */
export const faultyProxy = (target: net.NetConnectOpts) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<{ readonly server: net.Server; readonly pairs: Set<Pair>; readonly state: State }>((resume) => {
        const pairs = new Set<Pair>()
        const state: State = { fault: { kind: "none" }, waiting: [] }
        const server = net.createServer({ allowHalfOpen: true }, (client) => join(client, target, pairs, state))
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed({ server, pairs, state })))
      }),
      ({ pairs, server }) =>
        Effect.callback<void>((resume) => {
          for (const { client, upstream } of pairs) [client, upstream].forEach((one) => one.destroy())
          server.close(() => resume(Effect.void))
        })
    ),
    ({ pairs, server, state }): FaultyProxy => ({
      port: (server.address() as net.AddressInfo).port,
      open: () => pairs.size,
      set: (fault) =>
        Effect.sync(() => {
          state.fault = fault
          for (const pair of pairs) apply(pair, fault)
        }),
      heard: Effect.callback<void>((resume) => void state.waiting.push(() => resume(Effect.void)))
    })
  )

interface State {
  fault: Fault
  waiting: Array<() => void>
}

const apply = ({ client, upstream }: Pair, fault: Fault) => {
  if (fault.kind === "silent") return [client, upstream].forEach((one) => one.pause())
  if (fault.kind === "half-closed") client.end()
  if (fault.kind === "reset") client.resetAndDestroy()
  ;[client, upstream].forEach((one) => one.resume())
}

const join = (client: net.Socket, target: net.NetConnectOpts, pairs: Set<Pair>, state: State) => {
  const upstream = net.connect(target)
  const pair = { client, upstream }
  pairs.add(pair)
  for (const one of [client, upstream]) {
    one.on("error", () => one.destroy())
    one.on("close", () => {
      pairs.delete(pair)
      ;[client, upstream].forEach((other) => other.destroy())
    })
  }
  client.on("data", (bytes) => {
    for (const told of state.waiting.splice(0)) told()
    if (state.fault.kind === "reset") return client.resetAndDestroy()
    if (state.fault.kind === "answered") return client.end(state.fault.bytes)
    if (state.fault.kind !== "half-closed" && !upstream.destroyed) upstream.write(bytes)
  })
  client.on("end", () => upstream.end())
  // One after another, however long each of them takes.
  let said = Promise.resolve()
  upstream.on("data", (bytes) => {
    const { fault } = state
    said = said.then(() => speak(client, bytes, fault))
  })
  upstream.on("end", () => said.then(() => client.end()))
  apply(pair, state.fault)
}

const pause = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

const speak = async (client: net.Socket, bytes: Buffer, fault: Fault) => {
  if (fault.kind === "delayed") await pause(fault.millis)
  if (fault.kind !== "dripping") return void (client.writable && client.write(bytes))
  for (const byte of bytes) {
    if (!client.writable) return
    client.write(Buffer.of(byte))
    await pause(fault.millis)
  }
}

/** A fresh database as over a network: its address leads through the proxy. */
export const databaseBehindProxy = Effect.gen(function*() {
  const direct = yield* Effect.promise(TestDatabase.create)
  const { pathname, searchParams } = new URL(Redacted.value(direct))
  const proxy = yield* faultyProxy({ path: `${searchParams.get("host")}/.s.PGSQL.5432` })
  return { direct, proxy, url: Redacted.make(`postgres://test_app@127.0.0.1:${proxy.port}${pathname}`) }
})
