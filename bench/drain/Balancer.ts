import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

interface Backend {
  readonly port: number
  readonly agent: Agent
  healthy: boolean
}

/**
 * A balancer as simple as they come: each request goes to the next backend whose `/readyz` last said 200, over kept
 * connections. It asks for readiness every 100 ms. Nothing is sent twice: only where no connection could be made, so that
 * nothing was sent at all, is another backend tried. Whatever else goes wrong is a 502 of its own.
 */
export const openBalancer = async (ports: ReadonlyArray<number>) => {
  const backends: ReadonlyArray<Backend> = ports.map((port) => ({
    port,
    agent: new Agent({ keepAlive: true }),
    healthy: false
  }))
  const look = async (backend: Backend) => {
    try {
      backend.healthy = (await fetch(`http://127.0.0.1:${backend.port}/readyz`, { keepalive: false })).status === 200
    } catch {
      backend.healthy = false
    }
  }
  const timer = setInterval(() => void Promise.all(backends.map(look)), 100)
  let turn = 0
  const troubles: Array<string> = []
  const failed = (incoming: IncomingMessage, outgoing: ServerResponse, why: string) => {
    troubles.push(`${incoming.method} ${incoming.url}: ${why}`)
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(502).end(why)
  }
  const server = createServer((incoming, outgoing) => {
    const chunks: Array<Buffer> = []
    incoming.on("data", (chunk) => chunks.push(chunk))
    incoming.on("end", () => {
      const body = Buffer.concat(chunks)
      const attempt = (left: ReadonlyArray<Backend>) => {
        const backend = left.find(({ healthy }) => healthy) ?? left[0]
        if (backend === undefined) return failed(incoming, outgoing, "No backend took a connection")
        const { headers, method, url: path } = incoming
        const forwarded = request(
          { host: "127.0.0.1", port: backend.port, agent: backend.agent, method, path, headers },
          (answer) => {
            // A connection of ours is not one of the backend's.
            const { connection: _, "keep-alive": _kept, ...rest } = answer.headers
            outgoing.writeHead(answer.statusCode!, rest)
            answer.on("aborted", () => failed(incoming, outgoing, "The answer broke off"))
            answer.pipe(outgoing)
          }
        )
        forwarded.on("error", (error: NodeJS.ErrnoException) => {
          if (error.code === "ECONNREFUSED") {
            backend.healthy = false
            return attempt(left.filter((other) => other !== backend))
          }
          failed(incoming, outgoing, `${error.code} from ${backend.port}`)
        })
        outgoing.once("close", () => forwarded.destroyed || outgoing.writableFinished || forwarded.destroy())
        forwarded.end(body)
      }
      turn++
      attempt(backends.map((_, at) => backends[(at + turn) % backends.length]!))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    port: (server.address() as AddressInfo).port,
    troubles,
    /** Resolves when every backend has been seen ready. */
    ready: async () => {
      while (!backends.every(({ healthy }) => healthy)) await new Promise((resolve) => setTimeout(resolve, 50))
    },
    close: async () => {
      clearInterval(timer)
      for (const { agent } of backends) agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
