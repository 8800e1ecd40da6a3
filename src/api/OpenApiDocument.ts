import { OpenApi } from "effect/http-api"
import { Api } from "./Api.ts"

/** `docs/openapi.json` as text: what `/openapi.json` serves, formatted for reading and for comparing. */
export const openApiDocument = (): string => `${JSON.stringify(OpenApi.fromApi(Api), null, 2)}\n`
