/** What one decoder is confined for. */
export interface Confinement {
  readonly cpu_seconds: number
  /** The only file outside of the system's own folders that may be read. */
  readonly input: string
  readonly program: string
  readonly cwd: string
}

/** The open file in which the tools find the filter of system calls, beside the input at 3. */
export const FILTER_FD = 4

/** What every program may expect to be able to read. */
export const harmlessDevices = ["/dev/null", "/dev/urandom"]

/**
 * User and group of decoders whose worker is root. Nobody's (65534) will not do: other services run as it, our own database
 * among them where there are no user namespaces. Higher numbers do not exist in every container.
 */
export const DECODER_ID = 65_533

/** A limit by prlimit's option and by the kernel's number (asm-generic/resource.h). */
export interface Limit {
  readonly option: string
  readonly resource: number
  readonly soft: number
  readonly hard: number
}
