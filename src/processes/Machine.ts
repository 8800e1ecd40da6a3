import { readFileSync } from "node:fs"
import os from "node:os"

/**
 * Names the machine whose processors this process shares with others: the same in all containers under one kernel, another
 * one after each start of it. Where the system tells no such name it is the host's.
 */
export const machineName = (): string => {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
  } catch {
    return os.hostname()
  }
}
