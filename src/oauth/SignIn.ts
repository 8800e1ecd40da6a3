import { Effect, Option, Redacted, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { InteractionResults } from "oidc-provider"
import { ApiKeys } from "../api-keys/ApiKeys.ts"
import { RateLimits } from "../rate-limits/RateLimits.ts"
import { bodyText } from "../web/json/JsonBody.ts"
import { clientAddress, trustedProxies } from "../web/server/ClientAddress.ts"
import { PublicAddress } from "../web/server/PublicAddress.ts"
import { retrySoon } from "../web/server/RequestErrors.ts"
import { isFromElsewhere } from "../web/server/RequestOrigin.ts"
import { scope } from "./AccessTokens.ts"
import { AuthorizationServer } from "./AuthorizationServer.ts"
import { consentPage, errorPage, type Page, waitPage } from "./ConsentPage.ts"
import { awayMessage, called, found, whileAway } from "./DatabaseUnavailable.ts"
import { rawOf } from "./Forward.ts"

/** Wrong keys per minute, from one address and for one sign-in. */
const mostFromAddress = 10
const mostForSignIn = 5

const Form = Schema.Struct({
  api_key: Schema.optionalKey(Schema.String),
  decision: Schema.Literals(["allow", "deny"])
})

const path = "/oauth/sign-in/:uid"

const show = ({ body, headers }: Page, status: number) => HttpServerResponse.text(body, { status, headers })

const elsewhere = show(
  errorPage("The form came from another site than this one. If you did not send it, you may close this page."),
  403
)

const expired = show(errorPage("It was begun too long ago, or in another browser."), 400)

/** A browser asked again goes on where it was. */
const away = Effect.succeed(HttpServerResponse.setHeaders(show(waitPage(awayMessage), 503), retrySoon))

/**
 * The page where a person signs in with an API key and lets a client in. The sign-in belongs to the browser that began it
 * (a signed cookie that is not sent along from other sites), and its form to this site. Wrong keys are limited; too many end the sign-in.
 */
export const layerSignIn = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { provider } = yield* AuthorizationServer
  const { origin, origins, resources } = yield* PublicAddress
  const keys = yield* ApiKeys
  const limits = yield* RateLimits
  const proxies = yield* trustedProxies

  /** The sign-in that the address names, if this browser began it and it is not over. */
  const begun = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
    const { uid } = yield* HttpRouter.params
    const interaction = yield* found(() => provider.interactionDetails(...rawOf(request, origin)))
    return Option.filter(Option.fromNullishOr(interaction), (interaction) => interaction.uid === uid)
  })

  const ask = Effect.fnUntraced(function*(params: Readonly<Record<string, unknown>>, problem?: string) {
    const client_id = String(params["client_id"])
    const client = yield* found(() => provider.Client.find(client_id))
    return consentPage({
      client_name: client?.clientName ?? "",
      client_url: /^https:/iu.test(client_id) ? client_id : undefined,
      redirect_uri: String(params["redirect_uri"]),
      problem
    })
  })

  /** Tells the provider how it went; it sends the browser back to the client. */
  const end = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest, result: InteractionResults) {
    const location = yield* called(() => provider.interactionResult(...rawOf(request, origin), result))
    return HttpServerResponse.redirect(location, { status: 303, headers: { "cache-control": "no-store" } })
  })

  /** Everything that there is to grant: one tenant, one scope, one resource. */
  const grant = (key_id: string, client_id: string) =>
    called(async () => {
      const grant = new provider.Grant({ accountId: key_id, clientId: client_id })
      // A scope that the provider lists as its own has to be granted as its own too.
      grant.addOIDCScope(`${scope} offline_access`)
      // The provider asks for a resource as its client wrote it, with a slash at its end or without one.
      for (const resource of resources.flatMap((one) => [one, `${one}/`])) grant.addResourceScope(resource, scope)
      return grant.save()
    })

  yield* router.add("GET", path, (request) =>
    Effect.gen(function*() {
      const interaction = yield* begun(request)
      return Option.isNone(interaction) ? expired : show(yield* ask(interaction.value.params), 200)
    }).pipe(whileAway(away)))

  yield* router.add("POST", path, (request) =>
    Effect.gen(function*() {
      if (isFromElsewhere(request, origins)) return elsewhere
      const interaction = yield* begun(request)
      // Here within its time; a form that is none is told like one that is not ours.
      const form = yield* Effect.option(
        Effect.andThen(bodyText(request), HttpServerRequest.schemaBodyUrlParams(Form))
      )
      if (Option.isNone(interaction) || Option.isNone(form)) return expired
      const { params, uid } = interaction.value
      const denied = { error: "access_denied", error_description: "the person did not let the client in" }
      if (form.value.decision === "deny") return yield* end(request, denied)

      const fromAddress = [`oauth-sign-in:${clientAddress(request, proxies)}`, mostFromAddress] as const
      const forSignIn = [`oauth-sign-in-of:${uid}`, mostForSignIn] as const
      const busy = () =>
        Effect.map(
          ask(params, "Too many keys that were not valid. Wait a minute, then try again."),
          (page) => show(page, 429)
        )
      return yield* Effect.gen(function*() {
        yield* limits.check(...forSignIn)
        // Others at the same address may be to blame: a good key is found out, in turn.
        const over = yield* Effect.option(Effect.flip(limits.check(...fromAddress)))
        const secret = Redacted.make((form.value.api_key ?? "").trim())
        const tenant = yield* Effect.option(keys.authenticate(secret, Option.isSome(over) ? "in turn" : "at once"))
        if (Option.isNone(tenant)) {
          if (Option.isSome(over)) return yield* over.value
          for (const [key, most] of [fromAddress, forSignIn]) yield* limits.takeFrom(key, most)
          return show(yield* ask(params, "This is not a valid API key."), 401)
        }
        const accountId = tenant.value.key_id!
        return yield* end(request, {
          login: { accountId, remember: false },
          consent: { grantId: yield* grant(accountId, String(params["client_id"])) }
        })
      }).pipe(Effect.catchTag("RATE_LIMITED", busy))
    }).pipe(whileAway(away)))
}))
