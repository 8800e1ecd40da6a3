type Json = Record<string, any>

/** Headers of some answers alone, and `headersOf` says of which. */
export const answerHeaders: Json = {
  Location: {
    description: "Where what was made is read.",
    schema: { type: "string", examples: ["/v1/jobs/job_01kaj3e5h8z9q0w1x2y3z4a5b6"] }
  },
  "Idempotent-Replayed": {
    description: "Is there where the `Idempotency-Key` was used for this before: nothing was carried out again.",
    schema: { type: "string", enum: ["true"] }
  },
  "Content-Disposition": {
    description: "The name to keep it under (RFC 6266).",
    schema: { type: "string", examples: ["inline; filename=\"talk.mp4\""] }
  },
  "Accept-Ranges": {
    description: "`Range` may ask for a part of it.",
    schema: { type: "string", enum: ["bytes"] }
  },
  "Content-Range": {
    description: "Which bytes these are, and of how many (RFC 9110, 14.4).",
    schema: { type: "string", examples: ["bytes 0-1023/73400320"] }
  },
  "X-Frame-Timestamp": {
    description: "The moment of the picture, in seconds of the source.",
    schema: { type: "string", examples: ["12.5"] }
  },
  "X-Frame-Origin": {
    description: "Whether it was made from the source, or is the kept frame nearest to the moment.",
    schema: { type: "string", enum: ["source", "kept"] }
  },
  "Tus-Resumable": {
    description: "The version of the tus protocol, where the request speaks it.",
    schema: { type: "string", examples: ["1.0.0"] }
  }
}

/** What never changes, or is over, and so is told by its tag. */
const tagged = new Set(["getJob", "getJobSchema", "getSchema"])

/** Answered in ranges, each as these media types. */
const ranged: Readonly<Record<string, ReadonlyArray<string>>> = {
  getMedia: ["video/*", "audio/*", "application/octet-stream"],
  getPreviewMedia: ["video/mp4"],
  getFrameAt: ["image/jpeg"],
  getClip: ["video/mp4", "image/gif"]
}

const located = new Set([
  "createJob",
  "createJobs",
  "retryJob",
  "extractAgain",
  "createJobReview",
  "createDestination",
  "createDelivery",
  "createExport",
  "createSchema",
  "createSchemaVersion"
])

const tus = new Set(["createUpload", "getUpload", "appendUpload", "deleteUpload"])

/** Downloads with a name, beside what is answered in ranges. */
const named = new Set(["getTranscript", "getFrameImage", "getGraph", "exportJob"])

const isArtifact = (operation: Json): boolean => operation["tags"]?.includes("Artifacts") === true

/** Which of its own headers an answer comes with. */
export const headersOf = (operation: Json, status: string): ReadonlyArray<string> => {
  const id: string = operation["operationId"]
  const good = status === "200" || status === "201"
  const whole = status === "200" || status === "206"
  const keyed = operation["parameters"]?.some(({ name }: Json) => name === "idempotency-key") === true
  return [
    ...(located.has(id) && good ? ["Location"] : []),
    ...(keyed && status === "200" ? ["Idempotent-Replayed"] : []),
    ...(isArtifact(operation) || tagged.has(id) || id in ranged ? whole || status === "304" ? ["ETag"] : [] : []),
    ...(id in ranged ? whole || status === "304" || status === "416" ? ["Accept-Ranges"] : [] : []),
    ...(id in ranged && (status === "206" || status === "416") ? ["Content-Range"] : []),
    ...((named.has(id) && whole) || (id in ranged && (whole || status === "304")) ? ["Content-Disposition"] : []),
    ...(id === "getFrameAt" && (whole || status === "304") ? ["X-Frame-Timestamp", "X-Frame-Origin"] : []),
    ...(tus.has(id) && Number(status) < 300 ? ["Tus-Resumable"] : [])
  ]
}

/** Adds the answers that a definition in code has no place for: a part of the bytes, and that the caller has them already. */
export const addResponses = (operation: Json): void => {
  const { operationId: id, responses } = operation
  const types = ranged[id]
  if (types !== undefined) {
    const [schema] = Object.values<Json>(responses["200"].content).map((content) => content["schema"])
    const content = Object.fromEntries(types.map((type) => [type, { schema }]))
    responses["200"].content = content
    responses["206"] = { description: "The range that was asked for.", content: structuredClone(content) }
  }
  if (types !== undefined || tagged.has(id) || isArtifact(operation)) {
    responses["304"] = { description: "The caller has it already: `If-None-Match` names its tag." }
  }
}
