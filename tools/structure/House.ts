/** Something that is let pass, how often at most, and why. */
interface Excuse {
  readonly path: string
  readonly count: number
  readonly reason: string
}

/** The rules that `npm run structure` holds the tree to. */
export interface House {
  /**
   * Rooms in the order of what they may import: their own row and the rows above. A room holds the folders in it, a root
   * its own files alone.
   */
  readonly order: ReadonlyArray<ReadonlyArray<string>>
  /** Groups of rooms that never import one another, in neither direction. */
  readonly apart: ReadonlyArray<ReadonlyArray<ReadonlyArray<string>>>
  /** Folders that import each other, and why they still do. */
  readonly knots: ReadonlyArray<{ readonly folders: ReadonlyArray<string>; readonly reason: string }>
  readonly most: { readonly files: number; readonly lines: number }
  readonly folders: ReadonlyArray<Excuse>
  readonly anys: ReadonlyArray<Excuse>
  readonly casts: ReadonlyArray<Excuse>
  readonly silences: ReadonlyArray<Excuse>
}

const lane = (name: string, ...rows: ReadonlyArray<string>) => [
  ...rows.map((row) => row.split(" ").map((room) => `workers/${name}/${room}`)),
  [`workers/${name}`]
]

const domains =
  "api-keys artifacts connectors deliveries destinations egress idempotency jobs manifests model-stacks schemas sources tenants usage"
    .split(" ").map((name) => `src/${name}`)

const unknot = "to be parted: request-independent models to a foundation, deliveries to one domain"
const sweep = "a sweep in the background, which comes again at its next turn"
const spare = "bytes that no row names, which the next sweep of the store removes"
const fits = "what was just checked is wider in its declaration than it is"

export const house: House = {
  order: [
    ["src/observability"],
    ["src/storage"],
    ["src/crypto"],
    ["src/database", "src/processes", "src/queue"],
    ["src/errors"],
    ["src/rate-limits"],
    domains,
    ["src/exports"],
    ["workers/engine"],
    ["workers/compute"],
    ["workers/onnx"],
    ...lane("media", "codec pixels", "ffmpeg", "source audio captions", "probe", "selection", "frames"),
    ...lane("speech", "dsp", "vad ctc", "asr", "drivers diarization", "transcript"),
    ["workers/vision"],
    ...lane("extraction", "text", "lexicon", "candidates", "ranking", "grounding", "lists", "proposers", "result"),
    ["workers/delivery"],
    ["workers"],
    ["src/api"],
    ["src/web/json"],
    ["src/web/server"],
    ["src/oauth"],
    ["src/http/middleware"],
    ["src/tools", "src/http/docs", "src/http/results", "src/http/handlers"],
    ["src/http"],
    ["src"],
    ["src/cli"]
  ],
  apart: [
    [["src/api", "src/web", "src/http", "src/tools", "src/oauth"], ["workers"]],
    ["media", "speech", "vision", "extraction", "delivery"].map((name) => [`workers/${name}`])
  ],
  knots: [
    { folders: domains, reason: unknot },
    { folders: ["src/database", "src/processes", "src/queue"], reason: unknot },
    { folders: ["workers/vision", "workers/vision/drivers"], reason: "to be parted into rooms" }
  ],
  most: { files: 20, lines: 400 },
  folders: [
    { path: "src/api", count: 29, reason: "to be parted: what writes the OpenAPI document to a room of its own" },
    { path: "src/connectors", count: 24, reason: unknot },
    { path: "src/jobs", count: 42, reason: unknot },
    { path: "src/schemas", count: 31, reason: "to be parted: the JSON Schema engine to a room of its own" },
    {
      path: "workers/extraction/lists",
      count: 21,
      reason: "one room of rules, each beside the others that it competes with"
    },
    { path: "workers/vision", count: 29, reason: "to be parted into rooms" }
  ],
  anys: [
    { path: "src/errors/ApiError.ts", count: 1, reason: "a mapped tuple, which `map` cannot say" },
    { path: "src/model-stacks/LockModels.ts", count: 1, reason: "the version of a package.json that npm wrote" },
    {
      path: "src/schemas/ResultValidator.ts",
      count: 1,
      reason: "ajv-formats declares a default export that Node does not see"
    },
    {
      path: "src/schemas/SchemaInterpreter.ts",
      count: 1,
      reason: "a JSON object whose values are schemas, booleans or wrong"
    }
  ],
  casts: [
    { path: "src/artifacts/Artifacts.ts", count: 1, reason: "the identity, where nothing is to be shown otherwise" },
    {
      path: "src/connectors/SnowflakeStatement.ts",
      count: 1,
      reason: "evidence is JSON; interfaces have no index signature"
    },
    { path: "src/crypto/DerIntegers.ts", count: 1, reason: fits },
    { path: "src/errors/ApiError.ts", count: 1, reason: "a class made by a function keeps the type of its error" },
    { path: "src/model-stacks/ModelStore.ts", count: 1, reason: fits },
    { path: "src/storage/S3Blobs.ts", count: 3, reason: "the SDK's body is a stream of Node's on Node" },
    {
      path: "workers/extraction/ExtractionStage.ts",
      count: 1,
      reason: "subjects are JSON; interfaces have no index signature"
    },
    {
      path: "workers/extraction/candidates/Scan.ts",
      count: 1,
      reason: "the groups of a match are there where it matched"
    },
    { path: "workers/extraction/lists/EntriesSpoken.ts", count: 1, reason: "a draft that stands for none" },
    { path: "workers/media/source/S3Download.ts", count: 1, reason: "the SDK's body is a stream of Node's on Node" }
  ],
  silences: [
    { path: "src/api-keys/KeyWatch.ts", count: 1, reason: sweep },
    { path: "src/jobs/Admission.ts", count: 1, reason: sweep },
    { path: "src/jobs/EngineGauges.ts", count: 1, reason: "a gauge that is not read is not shown" },
    { path: "src/jobs/Janitor.ts", count: 3, reason: sweep },
    { path: "src/jobs/Leftovers.ts", count: 1, reason: sweep },
    { path: "src/jobs/Retention.ts", count: 1, reason: sweep },
    { path: "src/jobs/Submissions.ts", count: 1, reason: spare },
    { path: "src/main.ts", count: 1, reason: sweep },
    { path: "src/oauth/AuthorizationServer.ts", count: 1, reason: sweep },
    {
      path: "src/queue/Signals.ts",
      count: 1,
      reason: "a listener that is lost listens anew after 250 ms; polling goes on"
    },
    { path: "src/rate-limits/RateLimits.ts", count: 1, reason: sweep },
    { path: "src/sources/IncomingUploads.ts", count: 1, reason: spare },
    { path: "src/sources/UploadAssembly.ts", count: 2, reason: spare },
    { path: "src/sources/Uploads.ts", count: 1, reason: spare },
    { path: "src/tools/ToolSessions.ts", count: 2, reason: "sessions end by their time where nobody ends them" },
    { path: "workers/engine/Worker.ts", count: 6, reason: "what a lost worker leaves, the janitor takes up" },
    { path: "workers/extraction/ExtractionCharges.ts", count: 1, reason: sweep },
    {
      path: "workers/extraction/ExtractionStage.ts",
      count: 2,
      reason: "what is not booked now is booked with the next charge"
    }
  ]
}
