import { ExecutionProvider } from "../../src/jobs/model/Provenance.ts"

/** Where a session runs. `device_id` counts the GPUs that CUDA shows; the other providers have one device. */
export interface Device {
  readonly execution_provider: ExecutionProvider
  readonly device_id: number
}

/** What every model runs on unless it is told otherwise. */
export const cpu: Device = { execution_provider: "cpu", device_id: 0 }

/** A device as the arguments of a lane's child process. */
export const deviceArguments = ({ device_id, execution_provider }: Device): ReadonlyArray<string> => [
  execution_provider,
  String(device_id)
]

/** The device that a child process was started for; the CPU where none was named. */
export const deviceOfProcess = (argv: ReadonlyArray<string> = process.argv): Device => {
  const execution_provider = ExecutionProvider.literals.find((provider) => provider === argv[2])
  return execution_provider === undefined ? cpu : { execution_provider, device_id: Number(argv[3] ?? 0) }
}
