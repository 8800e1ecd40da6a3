import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { dashboard } from "./kubernetes/Dashboard.ts"
import { kubernetesFiles } from "./kubernetes/Files.ts"

/** Writes deploy/kubernetes and deploy/grafana anew from tools/kubernetes: `npm run kubernetes`. A test holds the committed files against it. */
const folder = fileURLToPath(new URL("../deploy/kubernetes", import.meta.url))

rmSync(folder, { recursive: true, force: true })
for (const [path, text] of Object.entries(kubernetesFiles())) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const grafana = fileURLToPath(new URL("../deploy/grafana", import.meta.url))
mkdirSync(grafana, { recursive: true })
writeFileSync(join(grafana, "footnote.json"), `${JSON.stringify(dashboard(), null, 2)}\n`)
