import { Effect, Schema } from "effect"
import { Instant } from "../../database/Instant.ts"
import { ApiError } from "../../errors/ApiError.ts"
import { defaultEvents, EventKind } from "./EventKind.ts"

export const DestinationType = Schema.Literals(["snowflake", "notion", "sheets", "slack", "webhook"]).annotate({
  identifier: "DestinationType",
  message: "Expected snowflake, notion, sheets, slack or webhook"
})
export type DestinationType = typeof DestinationType.Type

/** `paused` by its owner; `broken` where it could not be reached for long or for good. Deliveries wait for both to end. */
export const DestinationStatus = Schema.Literals(["active", "paused", "broken"]).annotate({
  identifier: "DestinationStatus"
})
export type DestinationStatus = typeof DestinationStatus.Type

const Name = Schema.String.annotate({ description: "1 to 80 characters.", examples: ["Warehouse"] }).check(
  Schema.isMinCodePoints(1),
  Schema.isMaxCodePoints(80)
)

const Config = Schema.Record(Schema.String, Schema.Json).annotate({
  description: "By type: `WebhookConfig`, `SlackBotConfig` or `SlackIncomingConfig`, `NotionConfig`, `SheetsConfig`, "
    + "`SnowflakeConfig` or `SnowflakeTokenConfig`. Sealed at rest and never shown again.",
  examples: [{ url: "https://example.com/hooks/footnote" }]
})

const Events = Schema.Array(EventKind).annotate({
  description: "What it is told of, of the jobs that name it.",
  examples: [["job.succeeded", "job.failed"]]
})
const SomeEvents = Events.check(Schema.isMinLength(1), Schema.isUnique())

const fields = {
  id: Schema.String.annotate({ description: "Form `dst_<id>`." }),
  name: Name,
  type: DestinationType,
  status: DestinationStatus,
  events: Events,
  last_health_check_at: Schema.NullOr(Instant),
  last_health_status: Schema.NullOr(Schema.String).annotate({
    description: "`ok`, or what was wrong, such as `auth_failed`, `not_found`, `unreachable`, `http_503`.",
    examples: ["ok"]
  }),
  last_health_message: Schema.NullOr(Schema.String).annotate({
    description: "Why the destination is broken, or what its owner should know of it, in a sentence.",
    examples: ["property_map: \"Prize\" is no property of the data source"]
  }),
  created_at: Instant
}

/** A destination as it is shown: never with its config or a secret. */
export const Destination = Schema.Struct(fields).annotate({ identifier: "Destination" })
export type Destination = typeof Destination.Type

/** The answer to a creation and to a rotation: the only places where a signing secret is shown. */
export const CreatedDestination = Schema.Struct({
  ...fields,
  signing_secret: Schema.optionalKey(Schema.String.annotate({
    description: "Standard Webhooks secret (`whsec_…`) of a webhook destination. Shown here and never again."
  }))
}).annotate({ identifier: "CreatedDestination" })
export type CreatedDestination = typeof CreatedDestination.Type

export const CreateDestination = Schema.Struct({
  name: Name,
  type: DestinationType,
  config: Config,
  events: SomeEvents.annotate({ default: defaultEvents }).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(defaultEvents))
  )
}).annotate({
  identifier: "CreateDestination"
})
export type CreateDestination = typeof CreateDestination.Type

/** A `config` takes the place of the old one as a whole. */
export const UpdateDestination = Schema.Struct({
  name: Schema.optionalKey(Name),
  config: Schema.optionalKey(Config),
  events: Schema.optionalKey(SomeEvents),
  status: Schema.optionalKey(
    Schema.Literals(["active", "paused"]).annotate({ message: "Expected active or paused" })
  )
}).annotate({ identifier: "UpdateDestination" })
export type UpdateDestination = typeof UpdateDestination.Type

export const RotateSigningSecret = Schema.Struct({
  keep_old_for_seconds: Schema.Int.annotate({
    description: "How long deliveries are signed with the old secret as well; 0 ends it at once.",
    default: 0
  }).check(Schema.isBetween({ minimum: 0, maximum: 604_800 })).pipe(Schema.withDecodingDefaultKey(Effect.succeed(0)))
}).annotate({ identifier: "RotateSigningSecret" })
export type RotateSigningSecret = typeof RotateSigningSecret.Type

export const DeletedDestination = Schema.Struct({ id: fields.id, deleted_at: Instant }).annotate({
  identifier: "DeletedDestination"
})
export type DeletedDestination = typeof DeletedDestination.Type

export class DestinationNotFound extends ApiError<DestinationNotFound>()("DESTINATION_NOT_FOUND") {}
export class DestinationTypeUnsupported
  extends ApiError<DestinationTypeUnsupported>()("DESTINATION_TYPE_UNSUPPORTED")
{}
export class DestinationConfigInvalid extends ApiError<DestinationConfigInvalid>()("DESTINATION_CONFIG_INVALID") {}
