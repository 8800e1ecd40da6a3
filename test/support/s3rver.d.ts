declare module "s3rver" {
  import type { Server } from "node:http"

  /** An S3 server over a folder. Its only account is S3RVER with the secret S3RVER. */
  export default class S3rver {
    constructor(options: {
      readonly address: string
      readonly port: number
      readonly silent: boolean
      readonly directory: string
      readonly vhostBuckets: boolean
      readonly configureBuckets: ReadonlyArray<{ readonly name: string }>
    })
    run(): Promise<{ readonly port: number }>
    close(): Promise<void>
    readonly httpServer: Server
  }
}
