import { generateKeyPairSync } from "node:crypto"
import { dsaKey, madeUpRsaKey } from "../../test/support/HostileKeys.ts"
import { type Caller, uploaded } from "./Caller.ts"
import { silence } from "./Footage.ts"

/** What the attacker has at hand: a clip of its own, and a server that answers no request to its end. */
export interface Means {
  readonly clip: string
  readonly slow: string
}

/** Attacks until the signal; answers are counted by their status. */
export type Attack = (attacker: Caller, means: Means, stop: AbortSignal) => Promise<ReadonlyMap<number, number>>

/** So many clients that each ask again as soon as they are answered. */
const flood = (clients: number, ask: (at: number) => Promise<number>): Attack => async (_, __, stop) => {
  const statuses = new Map<number, number>()
  // What had to be prepared is there: from now on it is an attack.
  process.send?.("begun")
  await Promise.all(Array.from({ length: clients }, async (_, client) => {
    for (let at = client; !stop.aborted; at += clients) {
      const status = await ask(at).catch(() => 0)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      // Whoever is told to come again would wait; an attacker waits just long enough not to be the bottleneck itself.
      if (status === 429 || status === 0) await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }))
  return statuses
}

const sheet = { client_email: "a@b.iam.gserviceaccount.com", spreadsheet_id: "1AbCdEfGhIjK", sheet: "x" }

/** Registers keys that cost seconds to sign with or to open. */
const keys: Attack = (attacker, means, stop) => {
  const hostile = [madeUpRsaKey(16_384), dsaKey(4000)]
  return flood(10, async (at) => {
    const body = { name: "x", type: "sheets", config: { ...sheet, private_key: hostile[at % 2] } }
    return (await attacker.call("/v1/destinations", body, stop)).status
  })(attacker, means, stop)
}

/** Has the dearest key that is taken sign without end: by tests of its destination and by deliveries to it. */
const signing: Attack = async (attacker, means, stop) => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 4096 })
  const private_key = privateKey.export({ type: "pkcs8", format: "pem" })
  const { json } = await attacker.call("/v1/destinations", {
    name: "x",
    type: "sheets",
    config: { ...sheet, private_key }
  })
  return flood(10, async (at) => {
    if (at % 10 !== 0) return (await attacker.call(`/v1/destinations/${json.id}/test`, {}, stop)).status
    return (await attacker.call("/v1/jobs", { source_uri: means.clip, destination_ids: [json.id] }, stop)).status
  })(attacker, means, stop)
}

const dearProperties = (at: number) =>
  Object.fromEntries(Array.from({ length: 100 }, (_, i) => [
    `p${i}`,
    { type: "string", pattern: `^(\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Z}\\P{C}){1,140}${i}x${at}$` }
  ]))

const patterns: Attack = (attacker, means, stop) => {
  return flood(100, async (at) => {
    const json_schema = { type: "object", properties: dearProperties(at) }
    return (await attacker.call("/v1/schemas", { name: "x", json_schema }, stop)).status
  })(attacker, means, stop)
}

const schemas: Attack = (attacker, means, stop) => {
  const words = ["title", "speaker", "price", "date", "name", "topic", "number", "color", "place", "amount"]
  const flat = {
    type: "object",
    properties: Object.fromEntries(Array.from({ length: 1400 }, (_, at) => [
      `${words[at % 10]}_${at}`,
      { type: "string", description: `the ${words[(at * 7) % 10]} of thing ${at}` }
    ]))
  }
  const $defs: Record<string, object> = { d12: { type: "string" } }
  for (let level = 0; level < 12; level++) {
    const next = { $ref: `#/$defs/d${level + 1}` }
    $defs[`d${level}`] = { type: "object", properties: { left: next, right: next } }
  }
  return flood(4, async (at) => {
    const schema_inline = at % 2 === 0 ? flat : { $defs, $ref: "#/$defs/d0" }
    return (await attacker.call("/v1/jobs", { source_uri: means.clip, schema_inline }, stop)).status
  })(attacker, means, stop)
}

/** Opens streams of one job, as many as it is given, and keeps them. */
const streams: Attack = async (attacker, means, stop) => {
  const { json } = await attacker.call("/v1/jobs", { source_uri: `${means.slow}/drip.mp4` })
  const statuses = new Map<number, number>()
  await flood(50, async (at) => {
    if (at >= 4500) return 0
    const response = await fetch(`${attacker.base}/v1/jobs/${json.id}/events`, {
      headers: { authorization: `Bearer ${attacker.key}` },
      signal: stop
    })
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    if (response.status !== 200) await response.text()
    return response.status
  })(attacker, means, stop)
  return statuses
}

const drips: Attack = (attacker, means, stop) =>
  flood(4, async () => (await attacker.call("/v1/jobs", { source_uri: `${means.slow}/drip.mp4` }, stop)).status)(
    attacker,
    means,
    stop
  )

const hooks: Attack = (attacker, means, stop) =>
  flood(
    4,
    async () =>
      (await attacker.call("/v1/jobs", { source_uri: means.clip, webhook_url: `${means.slow}/hang` }, stop)).status
  )(
    attacker,
    means,
    stop
  )

const pause = (milliseconds: number, stop: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    stop.addEventListener("abort", () => {
      clearTimeout(timer)
      resolve()
    }, { once: true })
  })

/** Twelve hours of silence each: submitted, cancelled while their sound is decoded onto the disk, and submitted again. */
const disk: Attack = async (attacker, means, stop) => {
  const source_uri = await uploaded(attacker, await silence())
  return flood(4, async () => {
    const { json, status } = await attacker.call("/v1/jobs", { source_uri }, stop)
    if (status !== 201) return status
    await pause(8000, stop)
    await attacker.call(`/v1/jobs/${json.id}/cancel`, {})
    return status
  })(attacker, means, stop)
}

/** By the name that `--attack` takes. */
export const attacks: Readonly<Record<string, Attack>> = {
  keys,
  signing,
  patterns,
  schemas,
  streams,
  drips,
  hooks,
  disk
}
