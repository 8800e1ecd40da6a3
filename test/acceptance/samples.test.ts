import { Validator } from "@cfworker/json-schema"
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))

interface Fact {
  readonly pointer: string
  readonly value: unknown
  readonly must: boolean
  readonly t_start: number
  readonly t_end: number
}

const readJson = (...path: ReadonlyArray<string>) => JSON.parse(readFileSync(join(...path), "utf8"))

/** All values at a pointer in which `*` stands for any index. */
const valuesAt = (result: unknown, pointer: string): ReadonlyArray<readonly [string, unknown]> =>
  pointer.split("/").slice(1).reduce<ReadonlyArray<readonly [string, unknown]>>(
    (at, part) =>
      at.flatMap(([path, value]) =>
        value === null || typeof value !== "object"
          ? []
          : Object.entries(value).filter(([key]) => part === "*" || key === part)
            .map(([key, inner]) => [`${path}/${key}`, inner] as const)
      ),
    [["", result]]
  )

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

describe.each([
  { sample: "lecture", template: "lecture-notes" },
  { sample: "product-demo", template: "product-demo" }
])("npm run extract with the sample $sample, the template $template and balanced precision", ({ sample, template }) => {
  it(
    "gets every fact right that its truth file marks must, each inside its moment, verified by a separate program",
    () => {
      const folder = mkdtempSync(join(tmpdir(), "footnote-sample-"))
      try {
        const out = join(folder, "out")
        const run = spawnSync(
          process.execPath,
          [
            "src/cli/extract.ts",
            `samples/${sample}.mp4`,
            "--template",
            template,
            "--precision",
            "balanced",
            "--json",
            "--out",
            out
          ],
          { cwd: root, encoding: "utf8", maxBuffer: 64 << 20 }
        )
        assert.strictEqual(run.status, 0, run.stderr)
        const { job, result, evidence } = JSON.parse(run.stdout)
        assert.strictEqual(job.status, "succeeded")

        // Not the service's own validator, so that one's mistake is not the other's.
        const { errors, valid } = new Validator(readJson(out, "schema.json"), "2020-12").validate(result)
        assert.isTrue(valid, JSON.stringify(errors))

        const truth = readJson(root, "samples", `${sample}.truth.json`)
        const facts: ReadonlyArray<Fact> = truth.facts[template]
        const musts = facts.filter((fact) => fact.must)
        assert.isNotEmpty(musts)
        for (const fact of musts) {
          const found = valuesAt(result, fact.pointer).filter(([, value]) => same(value, fact.value))
          assert.isNotEmpty(
            found,
            `${fact.pointer} should hold ${JSON.stringify(fact.value)}, got ${
              JSON.stringify(valuesAt(result, fact.pointer).map(([, value]) => value))
            }`
          )
          const inside = found.some(([pointer]) =>
            evidence.spans.some((span: { pointer: string; t_start: number; t_end: number }) =>
              span.pointer === pointer && span.t_start >= fact.t_start - 0.5 && span.t_end <= fact.t_end + 0.5
            )
          )
          assert.isTrue(
            inside,
            `${fact.pointer} = ${JSON.stringify(fact.value)} cites a moment outside ${fact.t_start}–${fact.t_end}`
          )
        }

        const verified = spawnSync(process.execPath, ["tools/verify-evidence.ts", out], { cwd: root, encoding: "utf8" })
        assert.strictEqual(verified.status, 0, verified.stdout + verified.stderr)
        const signed = spawnSync(process.execPath, ["tools/footnote.ts", "verify", join(out, "manifest.json")], {
          cwd: root,
          encoding: "utf8"
        })
        assert.strictEqual(signed.status, 0, signed.stdout + signed.stderr)
        assert.deepStrictEqual(
          readdirSync(join(out, "frames")).map((name) => name.replace(".jpg", "")).toSorted(),
          readJson(out, "frames.json").frames.flatMap((frame: { id: string; kept: boolean }) =>
            frame.kept ? [frame.id] : []
          )
            .toSorted()
        )
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
    300_000
  )
})
