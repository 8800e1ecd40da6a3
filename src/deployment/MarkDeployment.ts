import { Effect, Schema } from "effect"
import { checkBlobStore } from "./BlobStoreMark.ts"
import { checkClock } from "./ClockSkew.ts"
import { markEncryptionKey } from "./KeyMark.ts"
import { markModelStacks } from "./ModelMark.ts"

/** This process does not belong to the deployment whose database it uses; `message` says why and what to change. */
class DeploymentDiffers extends Schema.TaggedError<DeploymentDiffers>()("DeploymentDiffers", {
  message: Schema.String
}) {}

/**
 * What an API process does before it takes a request: it finds the deployment's blob store, and tells workers its key and its
 * stacks. Fails where its blobs would be where no worker looks; a store that is away only leaves that unknown.
 */
export const markDeployment = Effect.gen(function*() {
  const differs = yield* checkBlobStore().pipe(
    Effect.catchTag("BlobError", (error) =>
      Effect.as(
        Effect.logWarning(`Whether the blob store is the deployment's is not known: ${error.message}`),
        undefined
      ))
  )
  if (differs !== undefined) return yield* new DeploymentDiffers({ message: differs.message })
  const skew = yield* checkClock
  if (skew !== undefined) yield* Effect.logWarning(skew.message)
  yield* markEncryptionKey
  yield* markModelStacks
}).pipe(Effect.withSpan("markDeployment"))
