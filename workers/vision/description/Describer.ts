import type { ExecutionProvider } from "../../../src/jobs/model/Provenance.ts"
import type { Picture } from "../picture/Picture.ts"

interface DescriberHints {
  /** Whose picture it is: runs that several jobs share are shared out fairly between tenants. */
  readonly tenant_id: string
  readonly signal?: AbortSignal
}

/** No sentence about one picture, and why. The next picture may fare better; another attempt at this one would not. */
export class NotDescribed extends Error {}

/**
 * Says in a sentence or two what a picture shows. The sentence is data: text on the picture may be addressed to the model,
 * and whatever that makes it say, it is plain printable text of bounded length that nothing acts on. What is said of a
 * picture depends on that picture alone on the CPU; on a GPU the rounding of a shared run may tip a word. Rejects with the
 * signal's reason when it is aborted, and with `NotDescribed`.
 */
export interface Describer extends AsyncDisposable {
  /** For provenance: the model's name and the start of its decoder's SHA-256. */
  readonly name: string
  readonly execution_provider: ExecutionProvider
  readonly describe: (picture: Picture, hints: DescriberHints) => Promise<string>
}
