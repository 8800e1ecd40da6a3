import { Resources } from "./generated/operations.ts"
import { Jobs } from "./jobs.ts"
import { type FootnoteOptions, Transport } from "./transport.ts"
import { Uploads } from "./uploads.ts"

/**
 * A client of one service by one key. Every method throws `ApiError` for a refusal, and `ConnectionError` or `TimeoutError` where no
 * whole answer came; reads, deletes and whatever carries an `Idempotency-Key` are tried again first.
 */
export class Footnote extends Resources {
  override readonly jobs: Jobs = new Jobs(this.transport)
  override readonly uploads: Uploads = new Uploads(this.transport)

  constructor(options: FootnoteOptions) {
    super(new Transport(options))
  }
}
