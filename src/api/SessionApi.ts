import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Unauthenticated } from "../api-keys/ApiKey.ts"
import { CsrfTokenInvalid, Session, SignIn } from "../api-keys/Session.ts"
import { wire } from "../errors/ApiError.ts"
import { RateLimited } from "../errors/RequestErrors.ts"
import { SessionRequired } from "./Authorization.ts"
import { RateLimiting } from "./RateLimiting.ts"

export class SessionApi extends HttpApiGroup.make("session").add(
  HttpApiEndpoint.post("begin", "/v1/session", {
    payload: SignIn,
    success: Session.pipe(HttpApiSchema.status(201)),
    error: wire(Unauthenticated, CsrfTokenInvalid, RateLimited)
  }).annotateMerge(OpenApi.annotations({
    identifier: "createSession",
    summary: "Sign a browser in",
    description:
      "Takes an API key and sets the cookie `footnote_session`, which pages cannot read and other sites cannot send. It ends after 12 hours, with `DELETE`, and with the key. Programs send their key instead."
  })),
  HttpApiEndpoint.get("read", "/v1/session", { success: Session }).middleware(RateLimiting).middleware(SessionRequired)
    .annotateMerge(OpenApi.annotations({
      identifier: "getSession",
      summary: "Read the browser's session",
      description: "What signing in answered; 401 where the browser is not signed in."
    })),
  HttpApiEndpoint.delete("end", "/v1/session", { success: HttpApiSchema.NoContent }).middleware(RateLimiting)
    .middleware(SessionRequired)
    .annotateMerge(OpenApi.annotations({
      identifier: "deleteSession",
      summary: "Sign a browser out",
      description: "The session is unknown from then on, and its event streams end within a second."
    }))
).annotateMerge(OpenApi.annotations({ title: "Session", description: "How a browser is signed in." })) {}
