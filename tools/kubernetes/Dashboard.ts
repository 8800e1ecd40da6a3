import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Every metric that the service's code makes, by name; a histogram has `_bucket`, `_sum` and `_count` besides. */
export const metricNames = (): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const folder of ["src", "workers"]) {
    for (const file of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".ts")) continue
      const text = readFileSync(join(root, folder, file), "utf8")
      for (const [, kind, name] of text.matchAll(/(?:Metric\.)?(counter|gauge|histogram|timer)\(\s*"([a-z_]+)"/gu)) {
        const full = name!.startsWith("footnote_") ? name! : `footnote_${name}`
        names.add(full)
        if (kind === "histogram" || kind === "timer") {
          for (const part of ["bucket", "sum", "count"]) names.add(`${full}_${part}`)
        }
      }
    }
  }
  return names
}

/** Of NVIDIA's exporter (github.com/NVIDIA/dcgm-exporter, etc/default-counters.csv and dcp-metrics-included.csv). */
export const dcgmNames: ReadonlySet<string> = new Set([
  "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE",
  "DCGM_FI_DEV_GPU_UTIL",
  "DCGM_FI_DEV_DEC_UTIL",
  "DCGM_FI_DEV_FB_USED",
  "DCGM_FI_DEV_POWER_USAGE"
])

interface Panel {
  readonly title: string
  readonly says: string
  readonly unit: "short" | "s" | "reqps" | "percent" | "percentunit" | "decmbytes" | "bytes" | "watt"
  readonly series: ReadonlyArray<readonly [query: string, legend: string]>
}

const rate = (metric: string) => `rate(${metric}[5m])`
const quantile = (share: number, metric: string, by: string) =>
  `histogram_quantile(${share}, sum by (le, ${by}) (${rate(`${metric}_bucket`)}))`

// The engine's gauges are told by every API process alike: one of them is enough.
const panels: ReadonlyArray<Panel> = [
  {
    title: "Waiting and active tasks, by pool",
    says: "What workers are scaled by: both, or a scaler ends them at work.",
    unit: "short",
    series: [
      ["max by (pool) (footnote_queue_tasks)", "{{pool}} waiting"],
      ["max by (pool) (footnote_tasks_held)", "{{pool}} active"]
    ]
  },
  {
    title: "Longest wait, by pool",
    says: "Above what callers wait for: more workers.",
    unit: "s",
    series: [["max by (pool) (footnote_queue_oldest_seconds)", "{{pool}}"]]
  },
  {
    title: "Workers, by pool",
    says: "0 with tasks waiting: nobody serves the pool. Processes that differ from their deployment do not count.",
    unit: "short",
    series: [["max by (pool) (footnote_workers)", "{{pool}}"]]
  },
  {
    title: "Jobs and slots",
    says: "Jobs that wait for a slot wait for their tenant's limit, not for workers.",
    unit: "short",
    series: [
      ["max by (status) (footnote_jobs)", "{{status}}"],
      ["max(footnote_slots_in_use)", "slots in use"],
      ["max(footnote_slots_awaited)", "slots awaited"]
    ]
  },
  {
    title: "Jobs finished a second",
    says: "By how they ended.",
    unit: "short",
    series: [[`sum by (status) (${rate("footnote_jobs_finished_total")})`, "{{status}}"]]
  },
  {
    title: "Time of a task, 95 of 100, by stage",
    says: "Of attempts that ended.",
    unit: "s",
    series: [[quantile(0.95, "footnote_task_seconds", "stage"), "{{stage}}"]]
  },
  {
    title: "Tasks that did not simply succeed",
    says: "died: a worker's process; paused: a fault of the service itself, such as its disk.",
    unit: "short",
    series: [
      [`sum by (stage, outcome) (${rate("footnote_tasks_total{outcome!=\"done\"}")})`, "{{stage}} {{outcome}}"],
      [`sum by (fault) (${rate("footnote_task_pauses_total")})`, "pause: {{fault}}"],
      [`sum by (stage) (${rate("footnote_tasks_unsettled_total")})`, "{{stage}} unsettled"]
    ]
  },
  {
    title: "Requests a second, by status",
    says: "Any 500 is a defect.",
    unit: "reqps",
    series: [[`sum by (status) (${rate("footnote_http_requests_total")})`, "{{status}}"]]
  },
  {
    title: "Time of a request, 95 of 100, by route",
    says: "Until the response was ready to send.",
    unit: "s",
    series: [[quantile(0.95, "footnote_http_request_seconds", "route"), "{{route}}"]]
  },
  {
    title: "Deliveries",
    says: "Open ones, and attempts by their outcome.",
    unit: "short",
    series: [
      ["max by (status) (footnote_deliveries)", "{{status}}"],
      [`sum by (type, outcome) (${rate("footnote_delivery_attempts_total")})`, "{{type}} {{outcome}}"]
    ]
  },
  {
    title: "Background failures and damaged blobs",
    says: "Growing for longer than the database was away: look at the log lines beside them.",
    unit: "short",
    series: [
      [`sum by (work) (${rate("footnote_background_failures_total")})`, "{{work}}"],
      [`sum by (found) (${rate("footnote_blobs_damaged_total")})`, "blobs {{found}}"]
    ]
  },
  {
    title: "GPU: tensor cores and decoder at work",
    says:
      "Decoder busy and tensor cores idle: bound by media. The reverse: by models. Both idle with tasks waiting: by something else.",
    unit: "percent",
    series: [
      ["100 * avg by (gpu, Hostname) (DCGM_FI_PROF_PIPE_TENSOR_ACTIVE)", "tensor {{Hostname}} {{gpu}}"],
      ["avg by (gpu, Hostname) (DCGM_FI_DEV_DEC_UTIL)", "decoder {{Hostname}} {{gpu}}"],
      ["avg by (gpu, Hostname) (DCGM_FI_DEV_GPU_UTIL)", "any {{Hostname}} {{gpu}}"]
    ]
  },
  {
    title: "GPU: memory used",
    says: "One worker per GPU.",
    unit: "decmbytes",
    series: [["max by (gpu, Hostname) (DCGM_FI_DEV_FB_USED)", "{{Hostname}} {{gpu}}"]]
  }
]

/** Every query of the dashboard. */
export const dashboardQueries = (): ReadonlyArray<string> =>
  panels.flatMap(({ series }) => series.map(([query]) => query))

const [columns, width, height] = [2, 12, 8]

/** The dashboard as Grafana imports it, without a data source of its own. */
export const dashboard = () => ({
  title: "Footnote",
  uid: "footnote",
  tags: ["footnote"],
  schemaVersion: 39,
  timezone: "browser",
  refresh: "30s",
  time: { from: "now-6h", to: "now" },
  templating: {
    list: [{ name: "datasource", type: "datasource", query: "prometheus", label: "Prometheus" }]
  },
  panels: panels.map(({ says, series, title, unit }, at) => ({
    id: at + 1,
    type: "timeseries",
    title,
    description: says,
    datasource: { type: "prometheus", uid: "${datasource}" },
    gridPos: { x: (at % columns) * width, y: Math.floor(at / columns) * height, w: width, h: height },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: series.map(([expr, legendFormat], order) => ({
      refId: String.fromCodePoint(65 + order),
      expr,
      legendFormat
    }))
  }))
})
