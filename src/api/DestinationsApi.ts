import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { page, pageQueryOf } from "../database/Page.ts"
import {
  CreatedDestination,
  CreateDestination,
  DeletedDestination,
  Destination,
  DestinationConfigInvalid,
  DestinationNotFound,
  DestinationTypeUnsupported,
  RotateSigningSecret,
  UpdateDestination
} from "../deliveries/model/Destination.ts"
import { wire } from "../errors/ApiError.ts"
import { idempotencyHeader, keyRefusals } from "../idempotency/IdempotencyKey.ts"

import { withOptionalBody } from "./openapi/OptionalBody.ts"

const params = { id: Schema.String }

export class DestinationsApi extends HttpApiGroup.make("destinations").add(
  HttpApiEndpoint.post("create", "/destinations", {
    headers: idempotencyHeader,
    payload: CreateDestination,
    success: [CreatedDestination.pipe(HttpApiSchema.status(201)), CreatedDestination.pipe(HttpApiSchema.status(200))],
    error: wire(DestinationConfigInvalid, ...keyRefusals)
  }).annotateMerge(OpenApi.annotations({
    identifier: "createDestination",
    summary: "Register a destination",
    description: "Active at once. The other end is first looked at when there is something to deliver, or by a test."
  })),
  HttpApiEndpoint.get("list", "/destinations", {
    query: pageQueryOf("dst"),
    success: page(Destination).annotate({ identifier: "DestinationPage" })
  }).annotateMerge(OpenApi.annotations({
    identifier: "listDestinations",
    summary: "List destinations",
    description: "Newest first; never a secret."
  })),
  HttpApiEndpoint.get("get", "/destinations/:id", {
    params,
    success: Destination,
    error: wire(DestinationNotFound)
  }).annotateMerge(OpenApi.annotations({
    identifier: "getDestination",
    summary: "Read a destination",
    description: "Its state and what its last health check found; never its config."
  })),
  HttpApiEndpoint.patch("update", "/destinations/:id", {
    params,
    payload: UpdateDestination,
    success: Destination,
    error: wire(DestinationNotFound, DestinationConfigInvalid)
  }).annotateMerge(OpenApi.annotations({
    identifier: "updateDestination",
    summary: "Change a destination",
    description: "A `config` takes the place of the old one as a whole. While `paused`, deliveries wait."
  })),
  HttpApiEndpoint.delete("remove", "/destinations/:id", {
    params,
    success: DeletedDestination,
    error: wire(DestinationNotFound)
  }).annotateMerge(OpenApi.annotations({
    identifier: "deleteDestination",
    summary: "Delete a destination",
    description: "Its secrets are erased, and no delivery to it begins any more. Idempotent."
  })),
  HttpApiEndpoint.post("rotate", "/destinations/:id/rotate-signing-secret", {
    params,
    headers: idempotencyHeader,
    payload: [RotateSigningSecret, Schema.Null],
    success: CreatedDestination,
    error: wire(DestinationNotFound, DestinationTypeUnsupported, ...keyRefusals)
  }).annotateMerge(OpenApi.annotations({
    identifier: "rotateSigningSecret",
    summary: "Rotate a webhook's signing secret",
    description:
      "The new secret is in this answer and nowhere else. Within the window, deliveries are signed with both.",
    transform: withOptionalBody
  })),
  HttpApiEndpoint.post("test", "/destinations/:id/test", {
    params,
    headers: idempotencyHeader,
    success: Destination,
    error: wire(DestinationNotFound, ...keyRefusals)
  }).annotateMerge(OpenApi.annotations({
    identifier: "testDestination",
    summary: "Check a destination now",
    description:
      "The answer tells what was found in `last_health_status` and `last_health_message`; a good check makes a broken one active. A webhook "
      + "gets a signed `destination.test` event; elsewhere nothing is written. Sent again under its `Idempotency-Key` it tells what was found then."
  }))
).annotateMerge(OpenApi.annotations({ title: "Destinations", description: "Where results go." })) {}
