import { Config, Effect, Layer, Logger, Option, References } from "effect"
import { FetchHttpClient } from "effect/http"
import { Otlp, OtlpSerialization } from "effect/observability"
import { baseAddress } from "./Configuration.ts"
import { makeJsonLogger } from "./JsonLog.ts"
import { address, oneOf, setting } from "./Setting.ts"

/** `LOG_FORMAT`: `pretty` on a terminal, else JSON lines. */
export const logFormat = setting("LOG_FORMAT", oneOf("json", "pretty", "logfmt"), {
  otherwise: process.stdout.isTTY ? "pretty" : "json",
  without: "`pretty` on a terminal, else `json`",
  meaning: "the form of log lines"
})

export const logLevel = setting("LOG_LEVEL", oneOf("Debug", "Info", "Warn", "Error"), {
  otherwise: "Info",
  meaning: "the least that is logged"
})

/** How the lines of a process are written. */
export interface LogOptions {
  /** Those of 10 ms together, as JSON: for processes with a line for each of many requests. */
  readonly gathered?: boolean
}

const loggers = {
  json: ({ gathered = false }: LogOptions) => makeJsonLogger({ gathered }),
  logfmt: () => Logger.consoleLogFmt,
  pretty: () => Logger.consolePretty()
} as const

/** The lines of one process and nothing that leaves it. */
export const layerLogger = (options: LogOptions) =>
  Layer.unwrap(Effect.gen(function*() {
    const logger = loggers[yield* logFormat](options)
    return Layer.merge(Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel, yield* logLevel))
  }))

/** Traces, logs and metrics go out only where a collector is named; an empty variable names none. */
export const otlpEndpoint: Config.Config<Option.Option<string>> = Config.option(
  setting("OTEL_EXPORTER_OTLP_ENDPOINT", address, {
    meaning:
      "where traces, logs and metrics go: the http(s) address of a collector that takes OTLP as JSON, such as `http://otel:4318`"
  })
).pipe(
  Config.mapEffect((given) => baseAddress("OTEL_EXPORTER_OTLP_ENDPOINT", Option.getOrElse(given, () => ""))),
  Config.map((endpoint) => endpoint === "" ? Option.none() : Option.some(endpoint))
)

const OtlpLayer = (serviceName: string) =>
  Layer.unwrap(Effect.map(otlpEndpoint, (endpoint) =>
    Option.isNone(endpoint)
      ? Layer.empty
      : Otlp.layer({
        baseUrl: endpoint.value,
        resource: { serviceName, serviceVersion: "0.1.0" },
        loggerMergeWithExisting: true,
        shutdownTimeout: "3 seconds"
      }).pipe(Layer.provide(OtlpSerialization.layerJson), Layer.provide(FetchHttpClient.layer))))

/**
 * Logs, traces and metrics of one process, by `LOG_FORMAT`, `LOG_LEVEL` and `OTEL_EXPORTER_OTLP_ENDPOINT`. What is still
 * unsent at the end is flushed within 3 s.
 */
export const layerTelemetry = (serviceName: string, log: LogOptions = {}) =>
  OtlpLayer(serviceName).pipe(Layer.provideMerge(layerLogger(log)))
