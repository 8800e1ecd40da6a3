import { Config, Effect, Layer, Logger, Option, References } from "effect"
import { FetchHttpClient } from "effect/http"
import { Otlp, OtlpSerialization } from "effect/observability"

/** `LOG_FORMAT`: `pretty` on a terminal, else JSON lines. */
export const logFormat = Config.Literals(["json", "pretty", "logfmt"], "LOG_FORMAT").pipe(
  Config.withDefault(process.stdout.isTTY ? "pretty" as const : "json" as const)
)

export const logLevel = Config.Literals(["Debug", "Info", "Warn", "Error"], "LOG_LEVEL").pipe(
  Config.withDefault("Info" as const)
)

const loggers = {
  json: () => Logger.consoleJson,
  logfmt: () => Logger.consoleLogFmt,
  pretty: () => Logger.consolePretty()
} as const

const LoggerLayer = Layer.unwrap(Effect.gen(function*() {
  const logger = loggers[yield* logFormat]()
  return Layer.merge(Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel, yield* logLevel))
}))

/** Traces, logs and metrics go out only where a collector is named. */
export const otlpEndpoint = Config.option(Config.String("OTEL_EXPORTER_OTLP_ENDPOINT"))

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
export const layerTelemetry = (serviceName: string) => OtlpLayer(serviceName).pipe(Layer.provideMerge(LoggerLayer))
