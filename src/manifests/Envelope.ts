import type { Signing } from "../crypto/Signing.ts"
import { type Manifest, payloadType } from "./Manifest.ts"

/** What is signed: type and text with their lengths, so that neither can be taken for a part of the other. */
const preAuthenticationEncoding = (type: string, body: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${body.length} `), body])

/** The statement in its envelope, signed. The same statement under the same key is the same envelope. */
export const sealEnvelope = (statement: string, signing: Signing["Service"]): Manifest => {
  const body = Buffer.from(statement, "utf8")
  const signature = signing.sign(preAuthenticationEncoding(payloadType, body))
  return {
    payloadType,
    payload: body.toString("base64"),
    signatures: [{ keyid: signing.key_id, sig: Buffer.from(signature).toString("base64") }]
  }
}
