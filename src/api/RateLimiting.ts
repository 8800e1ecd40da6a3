import { HttpApiMiddleware } from "effect/http-api"
import { wire } from "../errors/ApiError.ts"
import { RateLimited } from "../errors/RequestErrors.ts"
import type { CurrentTenant } from "../identity/CurrentTenant.ts"

/** Counts every request of a tenant before its body is read, and tells in `RateLimit-*` headers where it stands. */
export class RateLimiting extends HttpApiMiddleware.Service<RateLimiting, { requires: CurrentTenant }>()(
  "footnote/api/RateLimiting",
  { error: wire(RateLimited) }
) {}
