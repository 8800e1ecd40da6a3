import { createHash } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Webhook } from "standardwebhooks"
import { Webhook as Svix } from "svix"
import type { makeDice } from "./Dice.ts"

interface Waiting {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
}

/**
 * A receiver of webhooks that keeps count of what it has taken, and refuses 4 % with 500 and drops 3 % after having taken
 * them. Every request is verified with `standardwebhooks` and `svix`; one whose path has no secret yet, once it has.
 */
export const openReceiver = async (dice: ReturnType<typeof makeDice>, address = "127.0.0.1") => {
  const secrets = new Map<string, string>()
  const waiting: Array<Waiting> = []
  /** How often each event was taken at each path. */
  const taken = new Map<string, number>()
  /** The bodies seen under each event's id, wherever it was sent. */
  const bodies = new Map<string, Set<string>>()
  const counts = { requests: 0, refused: 0, dropped: 0, verified: 0, unverifiable: 0 }

  const verify = ({ body, headers, path }: Waiting) => {
    const secret = secrets.get(path)
    if (secret === undefined) return false
    try {
      new Webhook(secret).verify(body, headers)
      new Svix(secret).verify(body, headers)
      counts.verified++
    } catch {
      counts.unverifiable++
    }
    return true
  }

  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk) => chunks.push(chunk))
    request.on("end", () => {
      const path = request.url!
      const headers = request.headers as Record<string, string>
      const body = Buffer.concat(chunks).toString("utf8")
      counts.requests++
      if (!verify({ path, headers, body })) waiting.push({ path, headers, body })
      const id = headers["webhook-id"] ?? ""
      const seen = bodies.get(id) ?? new Set()
      bodies.set(id, seen.add(createHash("sha256").update(body).digest("base64")))
      const draw = dice.random()
      if (draw < 0.04) {
        counts.refused++
        return void response.writeHead(500).end()
      }
      const key = `${path} ${id}`
      taken.set(key, (taken.get(key) ?? 0) + 1)
      if (draw < 0.07) {
        counts.dropped++
        return void request.socket.destroy()
      }
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (path: string) => `http://${address}:${port}${path}`,
    counts,
    taken,
    bodies,
    /** From now on, and for what has come already, this is what the path's sender signs with. */
    trust: (path: string, secret: string) => {
      secrets.set(path, secret)
      for (let at = waiting.length; at-- > 0;) if (waiting[at]!.path === path) verify(waiting.splice(at, 1)[0]!)
    },
    untrusted: () => waiting.length,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
