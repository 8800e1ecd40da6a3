import { Effect } from "effect"
import { artifactTools } from "./ArtifactTools.ts"
import { destinationTools } from "./DestinationTools.ts"
import { jobTools } from "./JobTools.ts"
import { schemaTools } from "./SchemaTools.ts"

/** The 14 tools, in the order in which a client sees them. */
export const tools = Effect.gen(function*() {
  const [extract, get_job, cancel_job, list_jobs] = yield* jobTools
  return [
    extract!,
    get_job!,
    cancel_job!,
    ...(yield* artifactTools),
    ...(yield* schemaTools),
    list_jobs!,
    ...(yield* destinationTools)
  ]
})
