import type { ToolScene } from "./ToolScene.ts"

/** A call of a tool, and the request of the REST API that is to answer the same. */
export interface ToolCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly rest: {
    readonly method: "GET" | "POST"
    readonly path: string
    readonly json?: unknown
    readonly headers?: Readonly<Record<string, string>>
  }
  /** What the tool shows of the route's answer; all of it where nothing is said. */
  readonly shown?: (json: any) => unknown
  /** Each call makes a new thing, so two answers differ in its id. */
  readonly creates?: "job_id" | "schema_id" | "delivery_id"
}

const read = (tool: string, path: string, args: ToolCall["args"], shown?: ToolCall["shown"]): ToolCall => ({
  tool,
  args,
  rest: { method: "GET", path },
  ...(shown === undefined ? {} : { shown })
})

const summary = ({ data, next_cursor }: { data: ReadonlyArray<any>; next_cursor: null }) => ({
  data: data.map(({ id, name, status, type }) => ({ id, name, type, status })),
  next_cursor
})

const listedJobs = ({ data, next_cursor }: { data: ReadonlyArray<any>; next_cursor: null }) => ({
  data: data.map(({ counts, created_at, error, finished_at, id, progress, schema_id, status, title }) => ({
    id,
    status,
    title,
    schema_id,
    created_at,
    finished_at,
    counts,
    error,
    progress: { stage: progress.stage, fraction: progress.fraction }
  })),
  next_cursor
})

/** Every tool, with the arguments that it has, on a scene's things. */
export const toolCalls = (scene: ToolScene, job = scene.succeeded): ReadonlyArray<ToolCall> => [
  {
    tool: "extract",
    args: {
      source_uri: "https://example.com/talk.mp4",
      schema_id: scene.schema,
      destination_ids: [scene.webhook],
      webhook_url: "https://example.com/hook",
      model_stack: "builtin"
    },
    rest: {
      method: "POST",
      path: "/v1/jobs",
      json: {
        source_uri: "https://example.com/talk.mp4",
        schema_id: scene.schema,
        destination_ids: [scene.webhook],
        webhook_url: "https://example.com/hook"
      },
      headers: { "x-service-model-stack": "builtin" }
    },
    shown: ({ id, status, webhook_signing_secret }) => ({ job_id: id, status, webhook_signing_secret }),
    creates: "job_id"
  },
  {
    tool: "extract",
    args: { source_uri: "https://example.com/talk.mp4", schema_inline: { type: "object" } },
    rest: {
      method: "POST",
      path: "/v1/jobs",
      json: { source_uri: "https://example.com/talk.mp4", schema_inline: { type: "object" } }
    },
    shown: ({ id, status }) => ({ job_id: id, status }),
    creates: "job_id"
  },
  read("get_job", `/v1/jobs/${job}`, { job_id: job }),
  {
    tool: "cancel_job",
    args: { job_id: scene.cancelled },
    rest: { method: "POST", path: `/v1/jobs/${scene.cancelled}/cancel` }
  },
  read("get_transcript", `/v1/jobs/${job}/transcript`, { job_id: job }),
  read("get_frames", `/v1/jobs/${job}/frames`, { job_id: job }),
  read("get_frames", `/v1/jobs/${job}/frames?include_raw=true`, { job_id: job, include_raw: true }),
  read("get_vision", `/v1/jobs/${job}/vision`, { job_id: job }),
  read("get_graph", `/v1/jobs/${job}/graph`, { job_id: job }),
  read("get_graph", `/v1/jobs/${job}/graph?view=canonical`, { job_id: job, view: "canonical" }),
  read("get_evidence", `/v1/jobs/${job}/evidence`, { job_id: job }),
  {
    tool: "create_schema",
    args: { name: "Talk", json_schema: { type: "object", properties: { a: { type: "string" } } }, description: "d" },
    rest: {
      method: "POST",
      path: "/v1/schemas",
      json: { name: "Talk", json_schema: { type: "object", properties: { a: { type: "string" } } }, description: "d" }
    },
    shown: ({ id }) => ({ schema_id: id }),
    creates: "schema_id"
  },
  read("get_schema", `/v1/schemas/${scene.schema}`, { schema_id: scene.schema }),
  read("get_schema", "/v1/schemas/sch_template_lecture_notes", { schema_id: "sch_template_lecture_notes" }),
  read("list_schemas", "/v1/schemas?limit=50", {}),
  read("list_jobs", "/v1/jobs?limit=25", {}),
  read("list_jobs", "/v1/jobs?limit=25", { brief: true }, listedJobs),
  read("list_jobs", "/v1/jobs?limit=25&status=failed", { status: "failed" }),
  read("list_destinations", "/v1/destinations?limit=50", {}, summary),
  {
    tool: "deliver",
    args: { job_id: job, destination_id: scene.webhook },
    rest: { method: "POST", path: `/v1/jobs/${job}/deliveries`, json: { destination_id: scene.webhook } },
    shown: ({ id }) => ({ delivery_id: id }),
    creates: "delivery_id"
  }
]
