import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { getCACertificates, setDefaultCACertificates } from "node:tls"

export interface HttpsDocuments {
  readonly origin: string
  readonly port: number
  /** How often each path was asked for. */
  readonly asked: Map<string, number>
  /** What each path answers. */
  readonly documents: Map<
    string,
    { readonly status?: number; readonly headers?: Record<string, string>; readonly body: string }
  >
  readonly close: () => Promise<void>
}

/** An https server on this machine, with a certificate of its own that this process trusts from now on. */
export const httpsDocuments = async (): Promise<HttpsDocuments> => {
  const folder = mkdtempSync(join(tmpdir(), "footnote-test-"))
  const files = { key: join(folder, "key.pem"), cert: join(folder, "cert.pem") }
  execFileSync("openssl", [
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-keyout",
    files.key,
    "-out",
    files.cert,
    "-days",
    "2",
    "-subj",
    "/CN=localhost",
    "-addext",
    "subjectAltName=DNS:localhost,IP:127.0.0.1"
  ], { stdio: "ignore" })
  const [key, cert] = [readFileSync(files.key, "utf8"), readFileSync(files.cert, "utf8")]
  rmSync(folder, { recursive: true, force: true })
  setDefaultCACertificates([...getCACertificates("default"), cert])

  const asked = new Map<string, number>()
  const documents: HttpsDocuments["documents"] = new Map()
  const server = createServer({ key, cert }, (request, response) => {
    const path = request.url!
    asked.set(path, (asked.get(path) ?? 0) + 1)
    const { body, headers = {}, status = 200 } = documents.get(path) ?? { status: 404, body: "" }
    response.writeHead(status, { "content-type": "application/json", ...headers })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `https://127.0.0.1:${port}`,
    port,
    asked,
    documents,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
