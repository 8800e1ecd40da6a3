import { Effect } from "effect"
import { type AddressInfo, createServer, type Server } from "node:net"

const listen = (server: Server, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    server.once("error", () => resolve(false))
    server.listen(port, "127.0.0.1", () => resolve(true))
  })

/** Counts who connects to this machine's loopback, at `wished` if that port is free, until the scope closes. */
export const canary = (wished = 0) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const seen = { connections: 0 }
      const server = createServer((socket) => {
        seen.connections += 1
        socket.destroy()
      })
      if (!(await listen(server, wished))) await listen(server, 0)
      return { seen, server, port: (server.address() as AddressInfo).port }
    }),
    ({ server }) => Effect.promise(() => new Promise((resolve) => server.close(resolve)))
  )
