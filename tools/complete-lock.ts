import { readFileSync, writeFileSync } from "node:fs"

/**
 * Adds to package-lock.json, by name and exact version, the platform packages that npm left out because the registry at
 * hand does not hold them. `npm ci` refuses a lock file in which an optional dependency is missing, even one for another
 * system. Nothing is known of what such a package would hold, so its entry names a system that there is not: it is skipped
 * everywhere, and nothing is installed without a hash. `--forget` takes these entries out again before npm looks, which
 * writes those that the registry holds by then with their hashes. Run both by `npm run lock`.
 */
const file = "package-lock.json"

interface LockedPackage {
  readonly version?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly os?: ReadonlyArray<string>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const lock: { readonly packages: Record<string, LockedPackage> } = JSON.parse(readFileSync(file, "utf8"))

/** A system that no machine is. */
const nowhere = ["none"]

const write = (packages: Readonly<Record<string, LockedPackage>>) => {
  const sorted = Object.entries(packages).toSorted(([a], [b]) => a < b ? -1 : 1)
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`)
}

const known = Object.fromEntries(
  Object.entries(lock.packages).filter(([key, { integrity }]) => key === "" || integrity !== undefined)
)

const added: Record<string, LockedPackage> = {}
for (const { dev, optionalDependencies } of Object.values(known)) {
  for (const [name, version] of Object.entries(optionalDependencies ?? {})) {
    const key = `node_modules/${name}`
    // A range cannot be pinned without the registry; platform packages are always named by one version.
    if (known[key] !== undefined || !/^\d+\.\d+\.\d+/u.test(version)) continue
    added[key] = { version, ...(dev === true ? { dev } : {}), optional: true, os: nowhere }
  }
}

if (process.argv.includes("--forget")) write(known)
else {
  write({ ...known, ...added })
  console.log(`${Object.keys(added).length} platform packages of unknown content are locked out in ${file}`)
}
