import { ScaledJob, ScaledObject, TriggerAuthentication } from "@kubernetes-models/keda/keda.sh/v1alpha1"
import { PodMonitor, ServiceMonitor } from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1"
import { Ingress } from "kubernetes-models/networking.k8s.io/v1"
import { images, labelsOf, plain } from "./Pod.ts"
import { workerPod, type WorkerPool, workerPools } from "./Workers.ts"

/** For clusters with the Prometheus operator. */
export const monitoring = {
  "monitoring.yaml": [
    new ServiceMonitor({
      metadata: { name: "footnote-api", labels: labelsOf("api") },
      spec: {
        selector: { matchLabels: labelsOf("api") },
        endpoints: [{ port: "http", path: "/metrics", interval: "15s" }]
      }
    }),
    new PodMonitor({
      metadata: { name: "footnote-workers" },
      spec: {
        selector: {
          matchLabels: { "app.kubernetes.io/name": "footnote" },
          matchExpressions: [{
            key: "app.kubernetes.io/component",
            operator: "In",
            values: workerPools.map(({ pool }) => `worker-${pool}`)
          }]
        },
        podMetricsEndpoints: [{ port: "metrics", path: "/metrics", interval: "15s" }]
      }
    })
  ]
} as const

/** One GPU per pod of speech: ONNX Runtime cannot be told how much of a GPU's memory it may take. */
export const gpuPatch = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "worker-speech" },
  spec: {
    // Half of one pod is none, and on a cluster's only GPU another never begins: the old one goes first.
    strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
    template: {
      spec: {
        terminationGracePeriodSeconds: 180,
        tolerations: [{ key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" }],
        containers: [{
          name: "worker",
          image: images.gpu,
          env: plain({ FOOTNOTE_EXECUTION_PROVIDER: "cuda", DRAIN_SECONDS: "120" }),
          resources: {
            requests: { cpu: "4", memory: "8Gi" },
            limits: { memory: "8Gi", "nvidia.com/gpu": "1" }
          },
          // A node may have to be made first, and gigabytes of models to be read: 15 minutes.
          startupProbe: { failureThreshold: 180 }
        }]
      }
    }
  }
} as const

/** Slots on a GPU (`workers/Lanes.ts`). */
const gpuSlots = 9

const queryOf = ({ counted }: WorkerPool) =>
  `SELECT coalesce(sum(waiting + active), 0) FROM footnote.pool_backlog WHERE pool IN (${
    counted.map((name) => `'${name}'`).join(", ")
  })`

/** On waiting alone a scaler would end workers as soon as they have taken everything. */
const triggerOf = (pool: WorkerPool, slots = pool.slots) => ({
  type: "postgresql",
  metadata: { query: queryOf(pool), targetQueryValue: String(slots), activationTargetQueryValue: "0" },
  authenticationRef: { name: "footnote-scaler" }
})

/** The login that reads the view and nothing else (docs/operations.md, "Backlog"). */
const scalerLogin = new TriggerAuthentication({
  metadata: { name: "footnote-scaler" },
  spec: { secretTargetRef: [{ parameter: "connection", name: "footnote-scaler", key: "connection" }] }
})

export const keda = {
  "scaling.yaml": [
    scalerLogin,
    ...workerPools.map((pool) =>
      new ScaledObject({
        metadata: { name: `worker-${pool.pool}` },
        spec: {
          scaleTargetRef: { name: `worker-${pool.pool}` },
          minReplicaCount: pool.least,
          maxReplicaCount: pool.most,
          pollingInterval: 10,
          // Loading models costs more than a worker that waits for a while.
          cooldownPeriod: 300,
          triggers: [triggerOf(pool)]
        }
      })
    )
  ]
} as const

/** Workers that a scaler never ends at work: each claims, finishes and exits by itself. Delivery stays a Deployment. */
const jobPools = workerPools.filter(({ pool }) => pool !== "delivery")

export const kedaJobs = {
  "scaling.yaml": [
    scalerLogin,
    ...jobPools.map((pool) => {
      const pod = workerPod(pool, ["--until-idle"])
      return new ScaledJob({
        metadata: { name: `worker-${pool.pool}` },
        spec: {
          jobTargetRef: {
            backoffLimit: 0,
            template: { ...pod, spec: { ...pod.spec!, restartPolicy: "Never" } }
          },
          pollingInterval: 10,
          maxReplicaCount: pool.most,
          successfulJobsHistoryLimit: 5,
          failedJobsHistoryLimit: 10,
          triggers: [triggerOf(pool)]
        }
      })
    })
  ]
} as const

/** Takes the Deployments away that Jobs stand in for. */
export const kedaJobsPatches = jobPools.flatMap(({ pool }) => [
  { $patch: "delete", apiVersion: "apps/v1", kind: "Deployment", metadata: { name: `worker-${pool}` } },
  { $patch: "delete", apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: { name: `worker-${pool}` } }
])

/** With a GPU a worker of speech takes more at a time. */
export const kedaGpuPatch = {
  apiVersion: "keda.sh/v1alpha1",
  kind: "ScaledObject",
  metadata: { name: "worker-speech" },
  spec: { triggers: [triggerOf(workerPools.find(({ pool }) => pool === "speech")!, gpuSlots)] }
} as const

/** OpenShift picks the user and the group of a pod's files itself, and makes a Route of an Ingress. */
export const openshiftUsers = ["Deployment", "Job"].map((kind) => ({
  target: { kind },
  patch: ["runAsUser", "runAsGroup", "fsGroup"].map((field) => ({
    op: "remove",
    path: `/spec/template/spec/securityContext/${field}`
  }))
}))

export const openshift = {
  "ingress.yaml": [
    new Ingress({
      metadata: { name: "api", annotations: { "route.openshift.io/termination": "edge" } },
      spec: {
        rules: [{
          host: "footnote.example.com",
          http: {
            paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "api", port: { name: "http" } } } }]
          }
        }]
      }
    })
  ]
} as const
