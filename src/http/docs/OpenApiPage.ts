import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { OpenApi } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { PublicAddress } from "../../web/server/PublicAddress.ts"
import { withoutParameters } from "../../web/server/QueryParameters.ts"
import { taggedJson } from "../middleware/EntityTag.ts"

/** `GET` of this path: the API's own description, whose server is this deployment as callers reach it. */
export const layerOpenApiPage = (path: "/openapi.json") =>
  Layer.effectDiscard(Effect.gen(function*() {
    const router = yield* HttpRouter.HttpRouter
    const { base_url } = yield* PublicAddress
    const answer = taggedJson(JSON.stringify({ ...OpenApi.fromApi(Api), servers: [{ url: base_url }] }))
    yield* router.add("GET", path, withoutParameters(answer))
  }))
