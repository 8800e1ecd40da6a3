import { connect } from "node:net"
import type { MalformedRequest } from "./MalformedRequests.ts"

/** The status of the answer, `none` where the server closed without one or has to wait for bytes that never come. */
export type RawAnswered = {
  readonly status: number | "none"
  readonly head: string
}

const finalStatus = /(?:^|\r\n\r\n)HTTP\/1\.1 (?!1\d\d)(\d{3}) /u

/** Where the server may be waiting for the rest of a request, as it should, its answer is not waited for much longer. */
const patience = (mayWait: boolean | undefined): number => mayWait === true ? 400 : 20_000

/** Sends bytes on a connection of their own and takes the first final answer. */
const sendRaw = (port: number, { breaksOff, bytes, mayWait }: MalformedRequest): Promise<RawAnswered> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    let head = ""
    const finish = () => {
      clearTimeout(timer)
      socket.destroy()
      const status = finalStatus.exec(head)?.[1]
      resolve({ status: status === undefined ? "none" : Number(status), head })
    }
    const timer = setTimeout(finish, patience(mayWait))
    socket.on("data", (data) => {
      if (head.length < 4096) head += data.toString("latin1")
      const found = finalStatus.exec(head)
      if (found !== null && head.indexOf("\r\n\r\n", found.index + 4) > 0) finish()
    })
    socket.on("error", finish)
    socket.on("close", finish)
    if (breaksOff === true) socket.end(bytes)
    else socket.write(bytes)
  })

/** Sends `count` requests of a source, `width` at a time; `seen` is called for each answer. */
export const sendAll = async (
  port: number,
  requests: Iterator<MalformedRequest>,
  count: number,
  width: number,
  seen: (request: MalformedRequest, answer: RawAnswered) => void
): Promise<void> => {
  let left = count
  const lane = async () => {
    while (left-- > 0) {
      const request: MalformedRequest = requests.next().value
      seen(request, await sendRaw(port, request))
    }
  }
  await Promise.all(Array.from({ length: width }, lane))
}
