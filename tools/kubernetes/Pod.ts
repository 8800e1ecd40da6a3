import type { IContainer, IEnvVar, IPodSpec, IProbe, IVolume } from "kubernetes-models/v1"

/** What every object of the deployment is found by. */
export const labelsOf = (component: string) => ({
  "app.kubernetes.io/name": "footnote",
  "app.kubernetes.io/component": component
})

/** What the images are called here; an overlay or `kustomize edit set image` says where they really are, by digest. */
export const images = { cpu: "footnote", gpu: "footnote-gpu" } as const

const fromSecret = (name: string, key: string, optional = false): IEnvVar => ({
  name: key,
  valueFrom: { secretKeyRef: { name, key, ...(optional ? { optional } : {}) } }
})

/** Variables by the secret that holds them: each role's own and no others, as docs/operations.md has it. */
export const secrets = {
  database: [fromSecret("footnote-database", "DATABASE_URL")],
  owner: [fromSecret("footnote-database", "DATABASE_OWNER_URL")],
  // Absent where the pod's identity opens the bucket.
  blobs: ["BLOB_S3_ACCESS_KEY_ID", "BLOB_S3_SECRET_ACCESS_KEY"].map((key) => fromSecret("footnote-blobs", key, true)),
  sealing: [fromSecret("footnote-keys", "FOOTNOTE_ENCRYPTION_KEY")],
  sources: [fromSecret("footnote-keys", "FOOTNOTE_SOURCE_KEY")],
  tenantModels: [fromSecret("footnote-keys", "FOOTNOTE_TENANT_MODEL_KEY")],
  signing: [fromSecret("footnote-keys", "FOOTNOTE_SIGNING_KEY")],
  firstKey: [fromSecret("footnote-keys", "FOOTNOTE_API_KEY", true)]
} as const satisfies Record<string, ReadonlyArray<IEnvVar>>

export const plain = (variables: Readonly<Record<string, string>>): Array<IEnvVar> =>
  Object.entries(variables).map(([name, value]) => ({ name, value }))

/** Local copies of blobs and working files: gone with the pod. */
const scratch = (size: string): Array<IVolume> => [
  { name: "data", emptyDir: { sizeLimit: size } },
  { name: "tmp", emptyDir: { sizeLimit: size } }
]

/**
 * Of the volume's size, three fifths for copies of blobs: a pod that writes beyond it is evicted, and unfinished files and what is looked
 * at again only after a sixteenth more come on top.
 */
export const copiesWithin = (size: `${number}Gi`): Array<IEnvVar> =>
  plain({ BLOB_S3_COPIES_BYTES: String(Math.floor(Number.parseInt(size, 10) * 1024 ** 3 * 3 / 5)) })

const models: IVolume = {
  name: "models",
  persistentVolumeClaim: { claimName: "footnote-models", readOnly: true }
}

/** A user who is not root, a root that nobody can write, no capability, the runtime's system-call filter. */
const confined: IContainer["securityContext"] = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  readOnlyRootFilesystem: true
}

export interface PodOptions {
  readonly name: string
  readonly command: ReadonlyArray<string>
  readonly env: ReadonlyArray<IEnvVar>
  readonly scratch: `${number}Gi`
  readonly resources: NonNullable<IContainer["resources"]>
  readonly port?: { readonly name: string; readonly containerPort: number }
  readonly probes?: Pick<IContainer, "startupProbe" | "livenessProbe" | "readinessProbe">
  readonly withModels?: "read" | "write"
  readonly grace_seconds?: number
}

/** A pod of one container of the service. */
export const podOf = (options: PodOptions): IPodSpec => ({
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  securityContext: {
    runAsNonRoot: true,
    runAsUser: 1000,
    runAsGroup: 1000,
    fsGroup: 1000,
    fsGroupChangePolicy: "OnRootMismatch",
    seccompProfile: { type: "RuntimeDefault" }
  },
  ...(options.grace_seconds === undefined ? {} : { terminationGracePeriodSeconds: options.grace_seconds }),
  containers: [{
    name: options.name,
    image: images.cpu,
    args: [...options.command],
    envFrom: [{ configMapRef: { name: "footnote" } }],
    env: [...options.env],
    ...(options.port === undefined ? {} : { ports: [{ ...options.port, protocol: "TCP" }] }),
    resources: options.resources,
    securityContext: confined,
    ...options.probes,
    volumeMounts: [
      { name: "data", mountPath: "/data" },
      { name: "tmp", mountPath: "/tmp" },
      ...(options.withModels === undefined
        ? []
        : [{ name: "models", mountPath: "/models", readOnly: options.withModels === "read" }])
    ]
  }],
  volumes: [
    ...scratch(options.scratch),
    ...(options.withModels === "read" ? [models] : []),
    ...(options.withModels === "write"
      ? [{ name: "models", persistentVolumeClaim: { claimName: "footnote-models" } }]
      : [])
  ]
})

export const get = (path: string, port: string, periodSeconds: number, failureThreshold: number): IProbe => ({
  httpGet: { path, port },
  periodSeconds,
  failureThreshold,
  timeoutSeconds: 3
})
