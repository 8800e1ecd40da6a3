import { readdirSync, readFileSync } from "node:fs"

/** Processes below this one, with their command line and the CPU ticks that they have used. */
export const descendants = (): ReadonlyArray<
  { readonly pid: number; readonly command: string; readonly ticks: number }
> => {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/u.test(name)).flatMap((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8")
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ")
      return [{ pid: Number(name), parent: Number(fields[1]), command, ticks: Number(fields[11]) + Number(fields[12]) }]
    } catch {
      return []
    }
  })
  const below = new Set([process.pid])
  for (let grew = true; grew;) {
    grew = false
    for (const { parent, pid } of processes) {
      if (below.has(parent) && !below.has(pid)) {
        below.add(pid)
        grew = true
      }
    }
  }
  return processes.filter(({ pid }) => below.has(pid))
}
