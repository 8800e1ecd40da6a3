import { canonicalJson } from "./CanonicalJson.ts"
import type { Json, JsonObject, ManifestSubjects, ResultData } from "./ResultData.ts"

export type ManifestCheck =
  | { readonly kind: "cannot"; readonly why: string }
  | { readonly kind: "bad_signature" }
  | {
    readonly kind: "signed"
    readonly keyid: string
    readonly unchanged: ReadonlyArray<string>
    readonly changed: ReadonlyArray<string>
    readonly absent: ReadonlyArray<string>
  }

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.codePointAt(0)!)

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("")

const encoder = new TextEncoder()

/** What DSSE signs: type and text with their lengths. */
const preAuthenticationEncoding = (type: string, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const head = encoder.encode(`DSSEv1 ${encoder.encode(type).length} ${type} ${body.length} `)
  const all = new Uint8Array(head.length + body.length)
  all.set(head)
  all.set(body, head.length)
  return all
}

interface Subject {
  readonly name: string
  readonly digest: { readonly sha256?: string; readonly jcs_sha256?: string }
  readonly annotations?: { readonly omitted?: ReadonlyArray<string> }
}

const digestOf = async ({ annotations, digest }: Subject, content: unknown) => {
  if (content instanceof Uint8Array) {
    return [digest.sha256, hex(await crypto.subtle.digest("SHA-256", Uint8Array.from(content)))] as const
  }
  const omitted = annotations?.omitted ?? []
  const kept = omitted.length === 0 ? content : Object.fromEntries(
    Object.entries(content as JsonObject).filter(([name]) => !omitted.includes(name))
  )
  return [
    digest.jcs_sha256,
    hex(await crypto.subtle.digest("SHA-256", encoder.encode(canonicalJson(kept as Json))))
  ] as const
}

/**
 * Whether the manifest is signed by one of the keys beside it, and which of what it lists is here and unchanged. A page that is
 * not in a secure context, or a browser that does not know Ed25519, is told that it cannot say.
 */
export const checkManifest = async (
  { manifest, signing_keys }: Pick<ResultData, "manifest" | "signing_keys">,
  subjects: ManifestSubjects
): Promise<ManifestCheck> => {
  if (manifest === null) return { kind: "cannot", why: "The job has no manifest." }
  if (globalThis.crypto?.subtle === undefined) {
    return {
      kind: "cannot",
      why: "A browser verifies signatures only on pages that came by https, from this machine or from disk."
    }
  }
  const payload = bytesOf(manifest.payload)
  const signed = preAuthenticationEncoding(manifest.payloadType, payload)
  const keys = (signing_keys?.["keys"] ?? []) as ReadonlyArray<JsonWebKey & { readonly kid?: string }>
  let keyid: string | undefined
  for (const signature of manifest.signatures) {
    for (const key of keys) {
      if (key.kid !== signature.keyid) continue
      try {
        const { crv, kty, x } = key
        const imported = await crypto.subtle.importKey("jwk", { crv, kty, x } as JsonWebKey, "Ed25519", false, [
          "verify"
        ])
        if (await crypto.subtle.verify("Ed25519", imported, bytesOf(signature.sig), signed)) keyid = signature.keyid
      } catch {
        return { kind: "cannot", why: "This browser does not know Ed25519 signatures." }
      }
    }
  }
  if (keyid === undefined) return { kind: "bad_signature" }
  const statement = JSON.parse(new TextDecoder().decode(payload)) as { readonly subject: ReadonlyArray<Subject> }
  const found: Record<"unchanged" | "changed" | "absent", Array<string>> = { unchanged: [], changed: [], absent: [] }
  for (const subject of statement.subject) {
    const content = await subjects.get(subject.name)?.()
    if (content === undefined) found.absent.push(subject.name)
    else {
      const [expected, actual] = await digestOf(subject, content)
      found[expected === actual ? "unchanged" : "changed"].push(subject.name)
    }
  }
  return { kind: "signed", keyid, ...found }
}
