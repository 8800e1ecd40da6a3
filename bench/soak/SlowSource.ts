import { createServer } from "node:http"

const length = 256 * 1024 ** 2
/** Above the least pace that a source has to keep, and slow enough for hours. */
const bytesPerSecond = 8192

/** A source of videos that takes hours, so that there is always a job to follow. */
export const openSlowSource = async (beginning: Uint8Array) => {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "video/mp4", "content-length": String(length) })
    response.write(beginning)
    const timer = setInterval(() => response.write(new Uint8Array(bytesPerSecond)), 1000)
    response.on("close", () => clearInterval(timer))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as { readonly port: number }
  return {
    url: (name: string) => `http://127.0.0.1:${port}/${name}.mp4`,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
