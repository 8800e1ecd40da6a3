import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const read = (file: string) => readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), "utf8")

interface Locked {
  readonly version: string
  readonly integrity?: string
  readonly os?: ReadonlyArray<string>
  readonly optional?: boolean
}

describe("what is installed", () => {
  it("has a hash in the lock file, package by package; what has none is for a system that there is not", () => {
    for (const file of ["package-lock.json", "clients/typescript/package-lock.json"]) {
      const { packages } = JSON.parse(read(file)) as { readonly packages: Readonly<Record<string, Locked>> }
      const entries = Object.entries(packages).filter(([key]) => key !== "")
      assert.isAbove(entries.length, 5)
      const unchecked = entries.filter(([, { integrity, optional, os }]) =>
        !/^sha512-[\w+/]{86}==$/u.test(integrity ?? "") && !(optional === true && String(os) === "none")
      )
      assert.deepStrictEqual(unchecked.map(([key]) => `${file} ${key}`), [])
    }
  })

  it("runs no script of a package", () => {
    assert.match(read(".npmrc"), /^ignore-scripts=true$/mu)
  })

  it("comes into an image from bases that a release can pin, and runs as a user known by number", () => {
    for (const file of ["Dockerfile", "Dockerfile.gpu"]) {
      const text = read(file)
      const bases = [...text.matchAll(/^FROM (\S+)/gmu)].map(([, base]) => base!)
      assert.deepStrictEqual(bases.filter((base) => !/^\$\{(NODE|CUDA)_IMAGE\}$/u.test(base)), [])
      assert.match(text, /^USER 1000:1000$/mu)
      assert.match(text, /^HEALTHCHECK /mu)
      assert.notMatch(text, /main\.ts (?=.*\bdelivery\b)(?=.*\b(media|speech|vision|extraction)\b)/u)
    }
  })
})
