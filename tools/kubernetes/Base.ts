import { Deployment } from "kubernetes-models/apps/v1"
import { Job } from "kubernetes-models/batch/v1"
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1"
import { PodDisruptionBudget } from "kubernetes-models/policy/v1"
import { ConfigMap, PersistentVolumeClaim, Service } from "kubernetes-models/v1"
import { copiesWithin, get, labelsOf, plain, podOf, secrets } from "./Pod.ts"
import { workerDeployment, workerPools } from "./Workers.ts"

/** What every process of the deployment is told alike; an overlay replaces it. */
const config = new ConfigMap({
  metadata: { name: "footnote" },
  data: {
    NODE_ENV: "production",
    LOG_FORMAT: "json",
    HOST: "0.0.0.0",
    PORT: "8080",
    FOOTNOTE_PUBLIC_URL: "https://footnote.example.com",
    FOOTNOTE_MODEL_STACK: "auto",
    BLOB_S3_BUCKET: "footnote",
    BLOB_S3_REGION: "us-east-1"
  }
})

const labels = labelsOf("api")
const apiScratch = "10Gi"

const api = new Deployment({
  metadata: { name: "api", labels },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    template: {
      metadata: { labels },
      spec: podOf({
        name: "api",
        command: ["node", "src/main.ts"],
        env: [
          ...secrets.database,
          ...secrets.blobs,
          ...copiesWithin(apiScratch),
          ...secrets.sealing,
          ...secrets.signing,
          ...secrets.firstKey,
          // Pools may be at zero: who is ready to take a job brings them back.
          ...plain({ READY_WITHOUT_WORKERS: "true", DRAIN_NOTICE_SECONDS: "10", FOOTNOTE_MODEL_DIR: "/models" })
        ],
        scratch: apiScratch,
        resources: { requests: { cpu: "500m", memory: "512Mi" }, limits: { memory: "1Gi" } },
        port: { name: "http", containerPort: 8080 },
        probes: {
          startupProbe: get("/healthz", "http", 2, 60),
          livenessProbe: get("/healthz", "http", 10, 6),
          readinessProbe: get("/readyz", "http", 2, 2)
        },
        withModels: "read",
        grace_seconds: 60
      })
    }
  }
})

const service = new Service({
  metadata: { name: "api", labels },
  spec: { selector: labels, ports: [{ name: "http", port: 80, targetPort: "http" }] }
})

const apiBudget = new PodDisruptionBudget({
  metadata: { name: "api" },
  spec: { maxUnavailable: 1, selector: { matchLabels: labels } }
})

const workerBudget = (pool: string) =>
  new PodDisruptionBudget({
    metadata: { name: `worker-${pool}` },
    spec: { maxUnavailable: "50%", selector: { matchLabels: labelsOf(`worker-${pool}`) } }
  })

/** Before a new version starts; apply again by deleting the finished one, as a Job cannot be changed. */
const migrate = new Job({
  metadata: { name: "migrate", labels: labelsOf("migrate") },
  spec: {
    activeDeadlineSeconds: 900,
    backoffLimit: 6,
    ttlSecondsAfterFinished: 600,
    template: {
      metadata: { labels: labelsOf("migrate") },
      spec: {
        ...podOf({
          name: "migrate",
          command: ["node", "src/cli/migrate.ts"],
          env: [...secrets.database, ...secrets.owner],
          scratch: "1Gi",
          resources: { requests: { cpu: "100m", memory: "256Mi" }, limits: { memory: "512Mi" } }
        }),
        restartPolicy: "OnFailure"
      }
    }
  }
})

/** One volume of models for all: read by many, written by the Job alone. */
const modelVolume = new PersistentVolumeClaim({
  metadata: { name: "footnote-models" },
  spec: { accessModes: ["ReadWriteMany"], resources: { requests: { storage: "20Gi" } } }
})

const fetchModels = new Job({
  metadata: { name: "fetch-models", labels: labelsOf("fetch-models") },
  spec: {
    activeDeadlineSeconds: 3600,
    backoffLimit: 4,
    ttlSecondsAfterFinished: 600,
    template: {
      metadata: { labels: labelsOf("fetch-models") },
      spec: {
        ...podOf({
          name: "fetch-models",
          command: ["node", "src/cli/models.ts", "fetch", "builtin"],
          env: plain({ FOOTNOTE_MODEL_DIR: "/models" }),
          scratch: "1Gi",
          resources: { requests: { cpu: "100m", memory: "256Mi" }, limits: { memory: "512Mi" } },
          withModels: "write"
        }),
        restartPolicy: "OnFailure"
      }
    }
  }
})

const ports = (...numbers: ReadonlyArray<number>) => numbers.map((port) => ({ port, protocol: "TCP" as const }))
const dns = { ports: [{ port: 53, protocol: "UDP" as const }, { port: 53, protocol: "TCP" as const }] }
/** Addresses by which clouds hand out credentials. */
const metadata = ["169.254.0.0/16"]

/** PostgreSQL, https, an S3 service of one's own (MinIO), a collector of OTLP over HTTP: docs/deployment.md has the list. */
const knownPorts = ports(5432, 443, 9000, 4318)

/** Sources, destinations and language models are at whatever port somebody names. */
const openPools: ReadonlySet<string> = new Set(["media", "extraction", "delivery"])

/** What opens addresses that somebody names reaches everything but the metadata of the cloud; the rest what every process calls. */
const reaches = (component: string, open: boolean, ingress: ReturnType<typeof ports>) =>
  new NetworkPolicy({
    metadata: { name: component },
    spec: {
      podSelector: { matchLabels: labelsOf(component) },
      policyTypes: ["Ingress", "Egress"],
      ingress: ingress.length === 0 ? [] : [{ ports: ingress }],
      egress: [
        dns,
        open
          ? { to: [{ ipBlock: { cidr: "0.0.0.0/0", except: metadata } }] }
          : { ports: knownPorts }
      ]
    }
  })

/** All that every deployment has; needs no operator of Kubernetes beside the cluster itself. */
export const base = {
  "config.yaml": [config],
  "api.yaml": [api, service, apiBudget],
  "migrate.yaml": [migrate],
  "models.yaml": [modelVolume, fetchModels],
  "workers.yaml": workerPools.flatMap((pool) => [workerDeployment(pool), workerBudget(pool.pool)]),
  "network.yaml": [
    reaches("api", true, ports(8080)),
    reaches("migrate", false, []),
    reaches("fetch-models", false, []),
    ...workerPools.map(({ pool }) => reaches(`worker-${pool}`, openPools.has(pool), ports(9464)))
  ]
} as const
