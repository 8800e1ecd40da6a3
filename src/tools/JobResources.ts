import { Context, Effect, Layer } from "effect"
import { McpSchema, McpServer } from "effect/ai"
import { toText } from "../artifacts/Subtitles.ts"
import { Deliveries } from "../deliveries/Deliveries.ts"
import type { ApiErrorInstance } from "../errors/ApiError.ts"
import type { ErrorCode } from "../errors/ErrorCatalog.ts"
import type { CurrentTenant } from "../identity/CurrentTenant.ts"
import { Artifacts } from "../results/Artifacts.ts"
import { deliveryUri, frameUri, transcriptUri } from "./ResourceLinks.ts"
import { asCaller } from "./ToolCalls.ts"

type Content = { readonly text: string } | { readonly blob: Uint8Array }

interface JobResource {
  readonly uriTemplate: string
  readonly name: string
  readonly description: string
  readonly mimeType: string
  readonly read: (
    ...ids: ReadonlyArray<string>
  ) => Effect.Effect<Content, ApiErrorInstance<ErrorCode>, CurrentTenant>
}

/** `footnote://…/{job_id}/…` as the framework's router wants it: parameters by their number, other colons doubled. */
const routerPath = (uriTemplate: string): string => {
  let parameters = 0
  return uriTemplate.replace(":", "::").replaceAll(/\{\w+\}/gu, () => `:${parameters++}`)
}

/**
 * What tools link to, by `resources/read`: a kept frame as JPEG, a transcript as text, a delivery as JSON. What is not there and what is another
 * tenant's is refused in the same words as by the REST API, with the code of it in `data`.
 */
export const jobResources = Effect.gen(function*() {
  const artifacts = yield* Artifacts
  const deliveries = yield* Deliveries
  const resources: ReadonlyArray<JobResource> = [
    {
      uriTemplate: frameUri("{job_id}", "{frame_id}"),
      name: "Kept frame",
      description: "The picture of a kept frame, by `frm_…` as get_frames gives it in `id`.",
      mimeType: "image/jpeg",
      read: (job_id = "", frame_id = "") =>
        Effect.map(artifacts.image(job_id, frame_id), ({ value }) => ({ blob: value }))
    },
    {
      uriTemplate: transcriptUri("{job_id}"),
      name: "Transcript as text",
      description: "One line for each segment, with who speaks; about 200 tokens for a minute of speech.",
      mimeType: "text/plain",
      read: (job_id = "") => Effect.map(artifacts.transcript(job_id), ({ value }) => ({ text: toText(value) }))
    },
    {
      uriTemplate: deliveryUri("{delivery_id}"),
      name: "Delivery",
      description: "Whether a delivery has arrived, its attempts with what each was answered, and what it waits for.",
      mimeType: "application/json",
      read: (delivery_id = "") =>
        Effect.map(deliveries.get(delivery_id), (delivery) => ({ text: JSON.stringify(delivery) }))
    }
  ]

  return Layer.effectDiscard(Effect.gen(function*() {
    const server = yield* McpServer.McpServer
    for (const { description, mimeType, name, read, uriTemplate } of resources) {
      yield* server.addResourceTemplate({
        template: new McpSchema.ResourceTemplate({ uriTemplate, name, description, mimeType }),
        annotations: Context.empty(),
        routerPath: routerPath(uriTemplate),
        completions: {},
        handle: (uri, ids) =>
          asCaller(read(...ids)).pipe(
            Effect.map((content) => McpSchema.ReadResourceResult.make({ contents: [{ uri, mimeType, ...content }] })),
            Effect.catch((error) =>
              Effect.flatMap(error.envelope, ({ error: data }) =>
                Effect.fail(new McpSchema.InvalidParams({ message: data.message, data })))
            )
          )
      })
    }
  }))
})
