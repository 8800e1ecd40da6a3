import { assert, describe, it } from "@effect/vitest"
import * as keda from "@kubernetes-models/keda/keda.sh/v1alpha1"
import * as prometheus from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1"
import { Redacted } from "effect"
import * as apps from "kubernetes-models/apps/v1"
import * as batch from "kubernetes-models/batch/v1"
import * as networking from "kubernetes-models/networking.k8s.io/v1"
import * as policy from "kubernetes-models/policy/v1"
import * as core from "kubernetes-models/v1"
import { spawnSync } from "node:child_process"
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseAllDocuments } from "yaml"
import { isGiven, type ProcessRole } from "../../src/processes/ProcessEnvironment.ts"
import { kubernetesFiles } from "../../tools/kubernetes/Files.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const folder = fileURLToPath(new URL("../../deploy/kubernetes", import.meta.url))

const kubectl = ["/usr/bin/kubectl", "/usr/local/bin/kubectl"].find((path) => existsSync(path))
if (kubectl === undefined) process.stdout.write("kubectl is not installed: the overlays are not rendered.\n")

interface Model {
  readonly validate: () => void
}

const schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "apps/v1": apps,
  "batch/v1": batch,
  "networking.k8s.io/v1": networking,
  "policy/v1": policy,
  "keda.sh/v1alpha1": keda,
  "monitoring.coreos.com/v1": prometheus,
  v1: core
}

const overlays = ["base", "gpu", "keda", "keda-gpu", "keda-jobs", "openshift"]

/** The objects of an overlay, as kubectl would apply them. */
const render = (overlay: string): ReadonlyArray<any> => {
  const { status, stderr, stdout } = spawnSync(kubectl!, ["kustomize", resolve(folder, overlay)], { encoding: "utf8" })
  assert.strictEqual(status, 0, stderr)
  return parseAllDocuments(stdout).map((document) => document.toJS())
}

const podOf = ({ spec }: any) => (spec?.jobTargetRef ?? spec)?.template?.spec

/** What the process of a pod is, by the command that starts it. */
const rolesOf = ([, program, ...words]: ReadonlyArray<string>): ReadonlyArray<ProcessRole> => {
  if (program === "workers/main.ts") return words[0] === "media" ? ["fetch", "media"] : [words[0] as ProcessRole]
  return program === "src/cli/models.ts" ? ["speech"] : ["api"]
}

describe("deploy/kubernetes", () => {
  it("is what npm run kubernetes writes", () => {
    const written = kubernetesFiles()
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => statSync(join(folder, path)).isFile())
    assert.sameMembers(files, Object.keys(written))
    for (const [path, text] of Object.entries(written)) {
      assert.strictEqual(readFileSync(join(folder, path), "utf8"), text, `${path}: run npm run kubernetes`)
    }
  })

  for (const overlay of overlays) {
    it.skipIf(kubectl === undefined)(`renders ${overlay}, and every object of it fits its schema`, () => {
      const objects = render(overlay)
      assert.isAbove(objects.length, 15)
      for (const object of objects) {
        const Kind = schemas[object.apiVersion]?.[object.kind] as (new(object: unknown) => Model) | undefined
        assert.isDefined(Kind, `${object.apiVersion} ${object.kind}`)
        new Kind!(object).validate()
      }
    })

    it.skipIf(kubectl === undefined)(
      `gives each process of ${overlay} its role's variables alone, confined and not as root`,
      () => {
        for (const object of render(overlay).filter((one) => podOf(one) !== undefined)) {
          const { containers, securityContext } = podOf(object)
          const [container] = containers
          const roles = rolesOf(container.args)
          for (const { name, value } of container.env) {
            assert.isTrue(isGiven(roles, name), `${object.metadata.name} is given ${name}`)
            if (/KEY|SECRET|URL/u.test(name)) assert.isUndefined(value, `${name} comes from a secret`)
          }
          assert.isTrue(securityContext.runAsNonRoot)
          assert.deepInclude(container.securityContext, {
            readOnlyRootFilesystem: true,
            allowPrivilegeEscalation: false
          })
          assert.deepStrictEqual(container.securityContext.capabilities, { drop: ["ALL"] })
          assert.isUndefined(securityContext[overlay === "openshift" ? "runAsUser" : "none"])
        }
      }
    )
  }

  it.skipIf(kubectl === undefined)(
    "lets each process out to what it calls: its collector, and any port where somebody names addresses, but never to a cloud's credentials",
    () => {
      const policies = render("base").filter(({ kind }) => kind === "NetworkPolicy")
      const anywhere = { ipBlock: { cidr: "0.0.0.0/0", except: ["169.254.0.0/16"] } }
      const open: Array<string> = []
      for (const { metadata, spec } of policies) {
        const [names, calls, ...more] = spec.egress
        assert.deepStrictEqual(names.ports.map(({ port }: any) => port), [53, 53])
        assert.isEmpty(more)
        if (calls.to === undefined) {
          assert.deepStrictEqual(calls.ports.map(({ port }: any) => port), [5432, 443, 9000, 4318], metadata.name)
        } else {
          assert.deepStrictEqual(calls, { to: [anywhere] })
          open.push(metadata.name)
        }
      }
      assert.sameMembers(open, ["api", "worker-media", "worker-extraction", "worker-delivery"])
    }
  )

  it.skipIf(kubectl === undefined)(
    "holds the copies of blobs of each process well within the volume that it is evicted for",
    () => {
      for (const overlay of ["base", "keda-jobs"]) {
        const pods = render(overlay).filter(({ kind }) => ["Deployment", "ScaledJob"].includes(kind)).map(podOf)
        assert.isAbove(pods.length, 1)
        for (const { containers: [{ args, env }], volumes } of pods) {
          const size = /^(\d+)Gi$/u.exec(volumes.find(({ name }: any) => name === "data").emptyDir.sizeLimit)![1]
          const { value } = env.find(({ name }: any) => name === "BLOB_S3_COPIES_BYTES")
          // 0 would be no limit.
          assert.isAbove(Number(value), 1024 ** 3, args)
          assert.isBelow(Number(value) * 17 / 16, Number(size) * 1024 ** 3 * 0.7, args)
        }
      }
    }
  )

  it.skipIf(kubectl === undefined)("ends a GPU's pod before its successor begins: it may be the only GPU", () => {
    for (const overlay of ["gpu", "keda-gpu"]) {
      const speech = render(overlay).find(({ kind, metadata }) =>
        kind === "Deployment" && metadata.name === "worker-speech"
      )
      assert.deepStrictEqual(speech.spec.strategy.rollingUpdate, { maxSurge: 0, maxUnavailable: 1 })
    }
  })

  it.skipIf(kubectl === undefined)(
    "adds its monitors to an overlay that names the component, each for what is there",
    () => {
      const own = mkdtempSync(join(realpathSync(tmpdir()), "footnote-overlay-"))
      try {
        const to = (name: string) => relative(own, join(folder, name))
        const kustomization = { resources: [to("base")], components: [to("monitoring")] }
        writeFileSync(join(own, "kustomization.yaml"), JSON.stringify(kustomization))
        const objects = render(own)
        const monitors = objects.filter(({ apiVersion }) => apiVersion === "monitoring.coreos.com/v1")
        assert.sameMembers(monitors.map(({ kind }) => kind), ["ServiceMonitor", "PodMonitor"])
        for (const object of monitors) {
          const Kind = schemas["monitoring.coreos.com/v1"]![object.kind] as new(object: unknown) => Model
          new Kind(object).validate()
        }
        const pods = objects.filter((one) => podOf(one) !== undefined)
          .map(({ spec }) => spec.template.metadata.labels["app.kubernetes.io/component"])
        const [watched] = monitors.find(({ kind }) => kind === "PodMonitor").spec.selector.matchExpressions
        for (const component of watched.values) assert.include(pods, component)
      } finally {
        rmSync(own, { recursive: true })
      }
    }
  )

  it.skipIf(kubectl === undefined)(
    "scales every pool by what waits and what is at work, with a query that the view answers",
    async () => {
      const url = Redacted.make(Redacted.value(await TestDatabase.create()))
      for (const overlay of ["keda", "keda-gpu", "keda-jobs"]) {
        const scaled = render(overlay).filter(({ kind }) => kind === "ScaledObject" || kind === "ScaledJob")
        const counted = new Set<string>()
        for (const { spec } of scaled) {
          const { query, targetQueryValue } = spec.triggers[0].metadata
          assert.include(query, "waiting + active")
          assert.isAbove(Number(targetQueryValue), 0)
          for (const [, pool] of query.matchAll(/'(\w+)'/gu)) counted.add(pool)
          const [row] = await TestDatabase.execute<Record<string, number>>(TestDatabase.asOwner(url), query)
          assert.deepStrictEqual(Object.values(row!).map(Number), [0])
        }
        const pools = [
          "fetch",
          "media",
          "speech",
          "vision",
          "extraction",
          ...(overlay === "keda-jobs" ? [] : ["delivery"])
        ]
        assert.sameMembers([...counted], pools)
      }
    }
  )
})
