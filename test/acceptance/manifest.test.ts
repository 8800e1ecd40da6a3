import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, type Schema } from "effect"
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { writeArtifactFolder } from "../../src/cli/ArtifactFolder.ts"
import { type JobView, ServiceClient } from "../../src/cli/ServiceClient.ts"
import { signingWith } from "../manifests/SignedEnvelope.ts"
import { deployment, finished, submit } from "../support/Deployment.ts"
import { shortClip } from "../support/ShortClip.ts"

const program = fileURLToPath(new URL("../../tools/footnote.ts", import.meta.url))
const sha256 = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex")

const json_schema = { type: "object", properties: { product: { type: "string", description: "Name of the product" } } }

const verify = (...words: ReadonlyArray<string>) =>
  spawnSync(process.execPath, [program, "verify", ...words], { encoding: "utf8" })

describe("the manifest of a job", () => {
  it.live.skipIf(process.platform !== "linux")(
    "is signed by the API's key, which no worker has been given",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const key = Buffer.alloc(32, 5).toString("base64")
        const { client, folder } = yield* deployment({ env: { FOOTNOTE_SIGNING_KEY: key } })
        const { keys } = (yield* client.json("/.well-known/footnote-signing-keys")) as { keys: Array<{ kid: string }> }
        assert.deepStrictEqual(keys.map(({ kid }) => kid), [signingWith(5).key_id])
        const environments = readdirSync("/proc").filter((name) => /^\d+$/u.test(name)).flatMap((pid) => {
          try {
            const command = readFileSync(`/proc/${pid}/cmdline`, "utf8")
            const environment = readFileSync(`/proc/${pid}/environ`, "utf8")
            return command.includes("workers/") && environment.includes(`FOOTNOTE_DATA=${folder}`) ? [environment] : []
          } catch {
            // Gone meanwhile, or another user's.
            return []
          }
        })
        assert.isNotEmpty(environments)
        for (const environment of environments) assert.notInclude(environment, key)
      })),
    120_000
  )

  it.live(
    "is the same for two jobs over the same but for job and times, and vouches for every file that --out writes",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const folder = yield* fs.makeTempDirectoryScoped({ prefix: "footnote-manifest-" })
        const sample = yield* shortClip(yield* fs.makeTempDirectoryScoped({ prefix: "footnote-manifest-source-" }))
        const { api_key, base_url, client } = yield* deployment({})
        const run = (schema: Schema.Json) =>
          Effect.flatMap(submit(client, sample, { schema_inline: schema }), ({ id }) => finished(client, id))
        const statementOf = (job: JobView) =>
          Effect.map(client.json(`/v1/jobs/${job.id}/manifest`), (manifest) => {
            const text = Buffer.from((manifest as { payload: string }).payload, "base64").toString("utf8")
            const { predicate: { job, ...predicate }, ...statement } = JSON.parse(text)
            return { job, predicate, statement }
          })
        const first = yield* run(json_schema)
        assert.strictEqual(first.status, "succeeded")
        const second = yield* run(json_schema)
        // First what was seen itself: two digests that differ would not say where.
        const [seen, again] = yield* Effect.forEach([first, second], ({ id }) => client.json(`/v1/jobs/${id}/vision`))
        assert.deepStrictEqual({ ...again as object, job_id: first.id }, seen)
        const [one, two] = [yield* statementOf(first), yield* statementOf(second)]
        assert.deepStrictEqual(two.statement, one.statement)
        assert.deepStrictEqual(two.predicate, one.predicate)
        assert.notStrictEqual(two.job.id, one.job.id)

        assert.strictEqual(one.predicate.source.digest.sha256, sha256(sample))
        const roles = one.predicate.models.map(({ role }: { role: string }) => role)
        assert.sameMembers(roles, ["asr", "describe", "extract", "objects", "ocr", "speaker", "vad"])
        for (const { files, role } of one.predicate.models) {
          // The built-in proposer is code, not a model.
          if (role !== "extract") assert.isNotEmpty(files, role)
          for (const { digest, name } of files) {
            const path = fileURLToPath(
              new URL(`../../${name.startsWith("npm:") ? `node_modules/${name.slice(4)}` : name}`, import.meta.url)
            )
            assert.strictEqual(digest.sha256, sha256(path), name)
          }
        }

        const other = yield* statementOf(yield* run({ ...json_schema, title: "Another" }))
        assert.notDeepEqual(other.predicate.schema.original, one.predicate.schema.original)
        assert.deepStrictEqual({ ...other.predicate, schema: null }, { ...one.predicate, schema: null })

        const { result, ...job } = first.record as { readonly result: Schema.Json } & Record<string, Schema.Json>
        yield* writeArtifactFolder({ folder, job_id: first.id, job, result, json_schema }).pipe(
          Effect.provideService(ServiceClient, client)
        )
        const keys = ["--keys", join(folder, "signing-keys.json")]
        const good = verify(join(folder, "manifest.json"), ...keys, "--source", sample)
        assert.strictEqual(good.status, 0, good.stdout + good.stderr)
        assert.notMatch(good.stdout, /Not covered/u)
        assert.deepStrictEqual(
          JSON.parse(readFileSync(keys[1]!, "utf8")),
          yield* client.json("/.well-known/footnote-signing-keys"),
          base_url
        )

        // The same by the API alone: as a zip file that somebody else's program opens, and fetched piece by piece.
        const bytes = yield* client.bytes(`/v1/jobs/${first.id}/export`)
        assert.deepStrictEqual(yield* client.bytes(`/v1/jobs/${first.id}/export`), bytes)
        const [zip, unpacked, pulled] = [
          join(folder, "..", `${first.id}.zip`),
          ...["unpacked", "pulled"].map((name) => join(folder, "..", `${first.id}.${name}`))
        ] as [string, string, string]
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => [zip, unpacked, pulled].forEach((path) => rmSync(path, { recursive: true, force: true })))
        )
        writeFileSync(zip, bytes)
        const extracted = spawnSync("python3", ["-m", "zipfile", "-e", zip, unpacked], { encoding: "utf8" })
        assert.strictEqual(extracted.status, 0, extracted.stderr)
        const env = { ...process.env, FOOTNOTE_API_KEY: api_key }
        const pull = spawnSync(process.execPath, [program, "pull", first.id, pulled, "--url", base_url], {
          encoding: "utf8",
          env
        })
        assert.strictEqual(pull.status, 0, pull.stdout + pull.stderr)
        for (const path of [unpacked, pulled]) {
          const whole = verify(path, ...keys, "--source", sample)
          assert.strictEqual(whole.status, 0, whole.stdout + whole.stderr)
          assert.notMatch(whole.stdout, /Not covered/u)
        }
        rmSync(join(pulled, "signing-keys.json"))
        const alone = verify(join(pulled, "manifest.json"))
        assert.strictEqual(alone.status, 2)
        assert.match(alone.stderr, /--keys https:.*footnote pull/u)

        const evidence = join(folder, "evidence.json")
        writeFileSync(evidence, readFileSync(evidence, "utf8").replace("\"verified\": true", "\"verified\": false"))
        const bad = verify(folder, ...keys)
        assert.strictEqual(bad.status, 1)
        assert.match(bad.stdout, /^DIFFERS evidence\.json \(the evidence\): its content is not what was signed$/mu)
      })).pipe(Effect.provide(NodeServices.layer)),
    400_000
  )
})
