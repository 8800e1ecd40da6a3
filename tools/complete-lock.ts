import { readFileSync, writeFileSync } from "node:fs"

/**
 * Adds to package-lock.json, by name and exact version, the platform packages that npm left out because the registry at
 * hand does not hold them. `npm ci` refuses a lock file in which an optional dependency is missing, even one for another
 * system; with the entry it is skipped where it does not fit and fetched where it does. Run it by `npm run lock`.
 */
const file = "package-lock.json"

interface LockedPackage {
  readonly version?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly os?: ReadonlyArray<string>
  readonly cpu?: ReadonlyArray<string>
  readonly libc?: ReadonlyArray<string>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const lock: { readonly packages: Record<string, LockedPackage> } = JSON.parse(readFileSync(file, "utf8"))

const systems = new Set("aix android darwin freebsd linux netbsd openbsd openharmony sunos win32".split(" "))
const processors = new Set("arm arm64 ia32 loong64 mips64el ppc64 riscv64 s390x wasm32 x64".split(" "))

/** `@dprint/linux-arm64-musl` runs on linux, arm64, musl: such packages carry their platform in their name. */
const platformOf = (name: string): Pick<LockedPackage, "os" | "cpu" | "libc"> => {
  const words = name.split(/[/-]/u)
  const os = words.filter((word) => systems.has(word))
  const cpu = words.filter((word) => processors.has(word))
  const libc = words.includes("musl")
    ? ["musl"]
    : words.some((word) => ["gnu", "glibc"].includes(word))
    ? ["glibc"]
    : []
  return {
    ...(os.length === 0 ? {} : { os }),
    ...(cpu.length === 0 ? {} : { cpu }),
    ...(libc.length === 0 ? {} : { libc })
  }
}

const added: Record<string, LockedPackage> = {}
for (const { dev, optionalDependencies } of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies ?? {})) {
    const key = `node_modules/${name}`
    // A range cannot be pinned without the registry; platform packages are always named by one version.
    if (lock.packages[key] !== undefined || !/^\d+\.\d+\.\d+/u.test(version)) continue
    added[key] = { version, ...platformOf(name), ...(dev === true ? { dev } : {}), optional: true }
  }
}

const sorted = Object.entries({ ...lock.packages, ...added }).toSorted(([a], [b]) => a < b ? -1 : 1)
writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`)
console.log(`${Object.keys(added).length} platform packages added to ${file}`)
