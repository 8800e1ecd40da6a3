import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { availableParallelism, cpus, loadavg, totalmem } from "node:os"
import { fileURLToPath } from "node:url"

const page = fileURLToPath(new URL("../docs/reliability.md", import.meta.url))

const head = `# Reliability: what was tried, and what came of it

Every section is written by the command that it names, when that is run with \`--write\`: by hand nothing is changed here.
`

/** One run of a command: what it was asked, and what it counted. */
export interface Run {
  readonly title: string
  /** As it was run, without \`--write\`. */
  readonly command: string
  /** What was done, in a sentence or two. */
  readonly what: string
  readonly figures: Readonly<Record<string, string | number>>
}

/** The section's text, for the machine and the day that it is written on. */
export const sectionOf = ({ command, figures, title, what }: Run): string => {
  const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? "unknown processor"}, ${
    Math.round(totalmem() / 1024 ** 3)
  } GiB, Node ${process.version}, load ${loadavg()[0]!.toFixed(1)}`
  const rows = Object.entries(figures).map(([name, value]) => `| ${name} | ${value} |`)
  return `## ${title}

${what}

\`${command}\`, ${new Date().toISOString().slice(0, 10)}, ${machine}.

| what | |
| --- | --- |
${rows.join("\n")}
`
}

/** The page with this section in place of the earlier one of its title, or at its end. */
export const withSection = (text: string, title: string, section: string): string => {
  const parts = text.split(/^(?=## )/mu)
  const at = parts.findIndex((part) => part.startsWith(`## ${title}\n`))
  const all = at === -1 ? [...parts, section] : parts.with(at, section)
  return `${all.map((part) => part.trimEnd()).join("\n\n")}\n`
}

/** Puts a run into docs/reliability.md. */
export const writeRun = (run: Run): void => {
  const text = existsSync(page) ? readFileSync(page, "utf8") : head
  writeFileSync(page, withSection(text, run.title, sectionOf(run)))
  console.log(`Written: ${page}, "${run.title}"`)
}
