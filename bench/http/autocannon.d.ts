declare module "autocannon" {
  interface Options {
    readonly url: string
    readonly headers?: Readonly<Record<string, string>>
    readonly connections: number
    /** Seconds. */
    readonly duration?: number
    /** Of requests. */
    readonly amount?: number
  }
  interface Result {
    readonly requests: { readonly average: number; readonly total: number }
    /** Milliseconds. */
    readonly latency: { readonly p50: number; readonly p99: number }
    readonly non2xx: number
  }
  export default function autocannon(options: Options): Promise<Result>
}
