import { stringify } from "yaml"
import { base } from "./Base.ts"
import {
  gpuPatch,
  keda,
  kedaGpuPatch,
  kedaJobs,
  kedaJobsPatches,
  monitoring,
  openshift,
  openshiftUsers
} from "./Overlays.ts"

type Files = Readonly<Record<string, ReadonlyArray<object>>>

const yaml = (object: unknown) =>
  stringify(JSON.parse(JSON.stringify(object)), { lineWidth: 0, aliasDuplicateObjects: false })

const head = "# Written by npm run kubernetes from tools/kubernetes: change that, or an overlay of your own.\n"

interface Kustomization {
  readonly kind?: "Component"
  readonly resources?: ReadonlyArray<string>
  readonly components?: ReadonlyArray<string>
  readonly patches?: ReadonlyArray<object>
}

const kustomization = ({ kind, ...rest }: Kustomization) =>
  head + yaml({
    apiVersion: kind === "Component" ? "kustomize.config.k8s.io/v1alpha1" : "kustomize.config.k8s.io/v1beta1",
    kind: kind ?? "Kustomization",
    ...rest
  })

const folder = (name: string, files: Files, more: Kustomization) => ({
  ...Object.fromEntries(
    Object.entries(files).map(([file, objects]) => [`${name}/${file}`, head + objects.map(yaml).join("---\n")])
  ),
  [`${name}/kustomization.yaml`]: kustomization({
    ...more,
    resources: [...(more.resources ?? []), ...Object.keys(files)]
  })
})

const patch = (object: object) => ({ patch: yaml(object) })

/** Every file of deploy/kubernetes by its path there. */
export const kubernetesFiles = (): Readonly<Record<string, string>> => ({
  ...folder("base", base, {}),
  ...folder("monitoring", monitoring, { kind: "Component" }),
  ...folder("gpu", {}, { resources: ["../base"], patches: [patch(gpuPatch)] }),
  ...folder("keda", keda, { resources: ["../base"] }),
  ...folder("keda-gpu", {}, { resources: ["../keda"], patches: [patch(gpuPatch), patch(kedaGpuPatch)] }),
  ...folder("keda-jobs", kedaJobs, { resources: ["../base"], patches: kedaJobsPatches.map(patch) }),
  ...folder("openshift", openshift, {
    resources: ["../base"],
    patches: openshiftUsers.map(({ patch, target }) => ({ target, patch: yaml(patch) }))
  })
})
