import { Context, Effect, Layer, Schema } from "effect"
import { createHash } from "node:crypto"
import { canonicalJson } from "../crypto/CanonicalJson.ts"
import { Signing } from "../crypto/Signing.ts"
import { TenantSql } from "../database/TenantSql.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import { Jobs } from "../jobs/Jobs.ts"
import { Subject } from "../jobs/model/Attested.ts"
import type { ArtifactDamaged, JobNotFound, JobNotSucceeded } from "../jobs/model/Job.ts"
import { sealEnvelope } from "../manifests/Envelope.ts"
import { jsonDigest } from "../manifests/JsonDigest.ts"
import { type Manifest, ManifestNotFound } from "../manifests/Manifest.ts"
import { type Predicate, predicateType } from "../manifests/Predicate.ts"
import { Blobs } from "../storage/Blobs.ts"
import { readBlob } from "../storage/CheckedBlobs.ts"
import { type Artifact, artifactDamaged } from "./Artifacts.ts"

const statementOf = (statement: object): string => canonicalJson(statement as Schema.Json)

const decodeSubjects = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Array(Subject)))

/**
 * The signed manifest of a succeeded job of the current tenant. What it states was written when the job ended; only the
 * signature is made here, where the key is, and it comes out the same every time. A job that ended before there were
 * manifests fails with `MANIFEST_NOT_FOUND`; hashes that are gone or are not those that were written with `ARTIFACT_DAMAGED`.
 */
export class Manifests extends Context.Service<Manifests, {
  readonly read: (
    id: string
  ) => Effect.Effect<
    Artifact<Manifest>,
    JobNotFound | JobNotSucceeded | ManifestNotFound | ArtifactDamaged,
    CurrentTenant
  >
}>()("footnote/results/Manifests") {
  static readonly layer = Layer.effect(
    Manifests,
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const blobs = yield* Blobs
      const { inTenant, sql } = yield* TenantSql
      const signing = yield* Signing

      return Manifests.of({
        read: Effect.fn("Manifests.read")(function*(id) {
          const { tenant_id } = yield* CurrentTenant
          const subjects = yield* jobs.artifact(tenant_id, id, "subjects")
          const job = yield* jobs.get(tenant_id, id)
          const [row] = yield* inTenant(tenant_id)(
            sql<{ readonly predicate: Predicate }>`SELECT predicate FROM footnote.manifests WHERE job_id = ${id}`
          )
          if (subjects === undefined || row === undefined) return yield* new ManifestNotFound()
          // What lies in the blob store has to be what the job ended with: anything else is not signed.
          const bytes = yield* artifactDamaged(id, "manifest")(readBlob(blobs, subjects))
          const { created_at, finished_at, started_at } = job
          const statement = statementOf({
            _type: "https://in-toto.io/Statement/v1",
            subject: yield* Effect.orDie(decodeSubjects(new TextDecoder().decode(bytes))),
            predicateType,
            predicate: {
              ...row.predicate,
              // A job that has ended never changes again, so neither does the hash of its record.
              job: { id, created_at, started_at, finished_at, digest: jsonDigest(job) }
            }
          })
          const value = sealEnvelope(statement, signing)
          return { value, sha256: createHash("sha256").update(JSON.stringify(value)).digest("hex") }
        })
      })
    })
  )
}
