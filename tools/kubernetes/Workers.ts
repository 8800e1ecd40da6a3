import { Deployment } from "kubernetes-models/apps/v1"
import type { IPodTemplateSpec } from "kubernetes-models/v1"
import { copiesWithin, get, labelsOf, plain, podOf, secrets } from "./Pod.ts"

/** One Deployment: a pool that is scaled by its own backlog. */
export interface WorkerPool {
  /** As `workers/main.ts` and `footnote.pool_backlog` name it. Media fetches, too. */
  readonly pool: "media" | "speech" | "vision" | "extraction" | "delivery"
  /** Pools whose backlog one Deployment works off. */
  readonly counted: ReadonlyArray<string>
  /** Tasks that one worker has at a time (`workers/Lanes.ts`), and so the target of a scaler. */
  readonly slots: number
  readonly most: number
  readonly least: number
  readonly resources: { readonly cpu: string; readonly memory: string }
  readonly scratch: `${number}Gi`
  readonly drain_seconds: number
}

// Requests by what one worker uses at its slots on two cores (docs/benchmarks.md); an operator's own load decides.
export const workerPools: ReadonlyArray<WorkerPool> = [
  {
    pool: "media",
    counted: ["fetch", "media"],
    slots: 3,
    least: 0,
    most: 20,
    resources: { cpu: "2", memory: "2Gi" },
    scratch: "20Gi",
    drain_seconds: 30
  },
  {
    pool: "speech",
    counted: ["speech"],
    slots: 2,
    least: 0,
    most: 20,
    resources: { cpu: "2", memory: "3Gi" },
    scratch: "4Gi",
    drain_seconds: 60
  },
  {
    pool: "vision",
    counted: ["vision"],
    slots: 2,
    least: 0,
    most: 20,
    resources: { cpu: "2", memory: "3Gi" },
    scratch: "4Gi",
    drain_seconds: 60
  },
  {
    pool: "extraction",
    counted: ["extraction"],
    slots: 1,
    least: 0,
    most: 10,
    resources: { cpu: "1", memory: "2Gi" },
    scratch: "4Gi",
    drain_seconds: 60
  },
  {
    // An attempt waits for a moment that no backlog tells of in time: one worker is always there.
    pool: "delivery",
    counted: ["delivery"],
    slots: 32,
    least: 1,
    most: 5,
    resources: { cpu: "250m", memory: "512Mi" },
    scratch: "2Gi",
    drain_seconds: 30
  }
]

const withModels = (pool: WorkerPool) => pool.pool === "speech" || pool.pool === "vision" || pool.pool === "extraction"

/** The pod of a pool: for the Deployment, and for Jobs that end by themselves. */
export const workerPod = (pool: WorkerPool, more: ReadonlyArray<string> = []): IPodTemplateSpec => ({
  metadata: { labels: labelsOf(`worker-${pool.pool}`) },
  spec: podOf({
    name: "worker",
    command: ["node", "workers/main.ts", pool.pool, ...more],
    env: [
      ...secrets.database,
      ...secrets.blobs,
      ...copiesWithin(pool.scratch),
      ...(pool.pool === "delivery" ? secrets.sealing : []),
      ...(pool.pool === "extraction" ? secrets.tenantModels : []),
      ...(pool.pool === "media" ? secrets.sources : []),
      ...plain({
        METRICS_HOST: "0.0.0.0",
        METRICS_PORT: "9464",
        DRAIN_SECONDS: String(pool.drain_seconds),
        ...(withModels(pool) ? { FOOTNOTE_MODEL_DIR: "/models", FOOTNOTE_MODELS_OFFLINE: "true" } : {})
      })
    ],
    scratch: pool.scratch,
    resources: { requests: { ...pool.resources }, limits: { memory: pool.resources.memory } },
    port: { name: "metrics", containerPort: 9464 },
    probes: {
      startupProbe: get("/metrics", "metrics", 5, 60),
      livenessProbe: get("/metrics", "metrics", 15, 4)
    },
    ...(withModels(pool) ? { withModels: "read" as const } : {}),
    // What is not done by then is given back within a second; the rest is for ending decoders and models.
    grace_seconds: pool.drain_seconds + 60
  })
})

export const workerDeployment = (pool: WorkerPool) =>
  new Deployment({
    metadata: { name: `worker-${pool.pool}`, labels: labelsOf(`worker-${pool.pool}`) },
    spec: {
      replicas: 1,
      selector: { matchLabels: labelsOf(`worker-${pool.pool}`) },
      // Tasks are handed on: no pod has to be there before another goes.
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: "50%" } },
      template: workerPod(pool)
    }
  })
