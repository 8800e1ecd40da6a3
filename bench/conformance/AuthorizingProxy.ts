import { createServer, request, type Server } from "node:http"
import type { AddressInfo } from "node:net"

/**
 * The suite cannot sign in. What it sends here goes on to the service with a token; the service's own origin stands in for
 * the proxy's, and everything else is as it was sent.
 */
export const authorizingProxy = async (base_url: string, token: string): Promise<{ url: string; server: Server }> => {
  const target = new URL(base_url)
  const server = createServer((incoming, outgoing) => {
    const { port } = server.address() as AddressInfo
    const own = [`http://127.0.0.1:${port}`, `http://localhost:${port}`]
    const { origin, ...headers } = incoming.headers
    const forwarded = request({
      host: target.hostname,
      port: target.port,
      method: incoming.method,
      path: incoming.url,
      headers: {
        ...headers,
        authorization: `Bearer ${token}`,
        ...(origin === undefined ? {} : { origin: own.includes(origin) ? base_url : origin })
      }
    }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
      outgoing.once("close", () => answer.destroy())
    })
    forwarded.on("error", () => outgoing.destroy())
    incoming.pipe(forwarded)
    outgoing.once("close", () => forwarded.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, server }
}
