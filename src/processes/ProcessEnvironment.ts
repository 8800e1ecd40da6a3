import { type Pool, pools } from "./Pools.ts"

/** What a process of the service is for. `model`: a child of a worker in which native model code runs. */
export type ProcessRole = "api" | Pool | "model"

/** Environment variables, by name or by a beginning before `*`, and the roles whose processes get them. */
export interface EnvironmentRule {
  readonly names: ReadonlyArray<string>
  readonly roles: ReadonlyArray<ProcessRole>
  /** Roles that get them only in a process of their own. */
  readonly alone?: ReadonlyArray<ProcessRole>
}

const services: ReadonlyArray<ProcessRole> = ["api", ...pools]
const everybody: ReadonlyArray<ProcessRole> = [...services, "model"]
/** Whoever decodes fetches too. */
const sources: ReadonlyArray<ProcessRole> = ["fetch", "media"]
const models: ReadonlyArray<ProcessRole> = ["speech", "vision", "extraction"]

const words = (names: string): ReadonlyArray<string> => names.trim().split(/\s+/u)
const rule = (roles: ReadonlyArray<ProcessRole>, names: string): EnvironmentRule => ({ roles, names: words(names) })

/**
 * Which variable goes to which process. What is not listed goes to none: a new setting has to be written here, which a
 * test holds against the table of docs/configuration.md, and docs/operations.md shows it.
 */
export const environmentRules: ReadonlyArray<EnvironmentRule> = [
  rule(
    everybody,
    `PATH HOME USER TMPDIR LANG LC_* TZ TERM NO_COLOR FORCE_COLOR LD_LIBRARY_PATH MALLOC_ARENA_MAX UV_THREADPOOL_SIZE
      NODE_ENV NODE_OPTIONS NODE_COMPILE_CACHE NODE_EXTRA_CA_CERTS NODE_USE_SYSTEM_CA NODE_V8_COVERAGE SSL_CERT_FILE SSL_CERT_DIR`
  ),
  rule([...models, "media", "model"], "CUDA_* NVIDIA_* ORT_* OMP_* VK_* XDG_* MESA_*"),
  rule(services, "DATABASE_URL PG*"),
  rule(["api"], "DATABASE_OWNER_URL"),
  rule(services, "FOOTNOTE_DATA FOOTNOTE_UMASK DISK_RESERVE_BYTES BLOB_DIR BLOB_S3_* AWS_*"),
  rule(services, "LOG_FORMAT LOG_LEVEL OTEL_* NODE_USE_ENV_PROXY HTTP_PROXY HTTPS_PROXY NO_PROXY"),
  rule(["api", "delivery"], "FOOTNOTE_ENCRYPTION_KEY FOOTNOTE_ENCRYPTION_KEY_FILE"),
  rule(sources, "FOOTNOTE_SOURCE_KEY FOOTNOTE_SOURCE_KEY_FILE"),
  // Never beside what opens strangers' media.
  {
    ...rule(["extraction"], "FOOTNOTE_TENANT_MODEL_KEY FOOTNOTE_TENANT_MODEL_KEY_FILE"),
    alone: ["extraction"]
  },
  rule(["api"], "FOOTNOTE_SIGNING_KEY FOOTNOTE_SIGNING_KEY_FILE FOOTNOTE_SIGNING_KEYS_RETIRED FOOTNOTE_API_KEY"),
  rule(
    ["api"],
    "TRUST_PROXY CORS_ALLOWED_ORIGINS RATE_LIMIT_* STREAMS_PER_TENANT FOOTNOTE_OAUTH_* UPLOAD_MAX_BYTES DRAIN_NOTICE_SECONDS READY_WITHOUT_WORKERS"
  ),
  rule(["api", "delivery"], "HOST PORT FOOTNOTE_PUBLIC_URL FOOTNOTE_DELIVERY_SCHEDULE FOOTNOTE_RESULT_LINK_DAYS"),
  rule(
    ["api", "delivery"],
    `FOOTNOTE_SLACK_BASE_URL FOOTNOTE_SLACK_HOOKS_BASE_URL FOOTNOTE_NOTION_BASE_URL FOOTNOTE_SHEETS_BASE_URL
      FOOTNOTE_GOOGLE_TOKEN_BASE_URL FOOTNOTE_SNOWFLAKE_BASE_URL`
  ),
  rule(["api", ...sources, "extraction", "delivery"], "SOURCE_ALLOW_PRIVATE SOURCE_ALLOW_PORTS"),
  rule(
    ["api", ...sources],
    "STORAGE_QUOTA_BYTES SOURCE_MAX_SECONDS SOURCE_S3_BUCKETS SOURCE_S3_ENDPOINT SOURCE_S3_REGION SOURCE_S3_PATH_STYLE"
  ),
  rule(sources, "SOURCE_S3_ACCESS_KEY_ID SOURCE_S3_SECRET_ACCESS_KEY SOURCE_S3_SESSION_TOKEN"),
  rule(
    ["media"],
    "FOOTNOTE_FFMPEG_PATH FFMPEG_PATH FFPROBE_PATH ALLOW_BUNDLED_FFMPEG FOOTNOTE_SANDBOX FOOTNOTE_HWACCEL"
  ),
  rule(
    ["api", ...models],
    "FOOTNOTE_MODEL_STACK FOOTNOTE_MODEL_STACKS FOOTNOTE_MODEL_DIR FOOTNOTE_MODEL_HUB FOOTNOTE_MODELS_OFFLINE"
  ),
  rule(pools, "FOOTNOTE_EXECUTION_PROVIDER DRAIN_SECONDS METRICS_PORT METRICS_HOST"),
  rule(["speech", "vision"], "FOOTNOTE_GPU_DEVICE"),
  rule(["extraction"], "FOOTNOTE_EXTRACTOR FOOTNOTE_LLM_*"),
  rule(sources, "FETCH_SLOTS"),
  ...pools.filter((pool) => pool !== "fetch").map((pool) => rule([pool], `${pool.toUpperCase()}_SLOTS`))
]

const fits = (name: string) => (pattern: string) =>
  pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern

/** Whether a process with any of these roles gets the variable. */
export const isGiven = (roles: ReadonlyArray<ProcessRole>, name: string): boolean =>
  environmentRules.some(({ alone = [], names, roles: given }) =>
    given.some((role) => roles.includes(role) && (roles.length === 1 || !alone.includes(role))) &&
    names.some(fits(name))
  )

/** What a process with these roles is started with: of `environment` what the rules give it and nothing else. */
export const environmentOf = (
  roles: ReadonlyArray<ProcessRole>,
  environment: Readonly<Record<string, string | undefined>>
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] =>
      entry[1] !== undefined && isGiven(roles, entry[0])
    )
  )

/**
 * Forgets what whoever started this process gave it beyond its roles, so that no code of it and none of its children
 * reads that. The kernel goes on showing the first environment in `/proc/PID/environ` to the same user.
 */
export const keepEnvironment = (roles: ReadonlyArray<ProcessRole>): void => {
  for (const name of Object.keys(process.env)) {
    if (!isGiven(roles, name)) delete process.env[name]
  }
}
