import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Result } from "effect"
import { randomBytes } from "node:crypto"
import { parseKeyRing } from "../../../src/crypto/KeyRing.ts"
import { purposeKeyText } from "../../../src/crypto/PurposeKey.ts"
import { Sealing } from "../../../src/crypto/Sealing.ts"
import { newId, type TenantId } from "../../../src/identity/Id.ts"
import { resealEarlierModels } from "../../../src/tenants/EarlierModels.ts"
import { languageModelPlace, sealLanguageModel } from "../../../src/tenants/LanguageModel.ts"
import { extractBy } from "../../../workers/extraction/Extract.ts"
import { llmDefaults } from "../../../workers/extraction/proposers/llm/LlmConfig.ts"
import { makeLlmProposer } from "../../../workers/extraction/proposers/llm/LlmProposer.ts"
import { layerTenantModels, TenantModels } from "../../../workers/extraction/TenantModel.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { inputOf, meeting } from "./Footage.ts"
import { playModel } from "./proposers/llm/ModelServer.ts"
import { goodMinutes, minutes } from "./proposers/llm/PlayedRun.ts"
import { laneWith, run } from "./StageRun.ts"

const key = randomBytes(32).toString("base64")
/** What an extraction worker is given of it. */
const derived = (text: string) => ({
  FOOTNOTE_TENANT_MODEL_KEY: purposeKeyText(Result.getOrThrow(parseKeyRing(text)), "tenant_model")
})
const layerVariables = (more: Readonly<Record<string, string>>) =>
  ConfigProvider.layer(ConfigProvider.fromUnknown({ NODE_ENV: "production", ...more }))
const sealingOf = Effect.provide(
  Effect.service(Sealing),
  Sealing.layer.pipe(Layer.provide(layerVariables({ FOOTNOTE_ENCRYPTION_KEY: key })))
)
const open = { SOURCE_ALLOW_PRIVATE: "127.0.0.0/8" }

const models = (alone: boolean, more: Readonly<Record<string, string>> = {}) =>
  layerTenantModels(alone).pipe(Layer.provide(layerVariables({ ...derived(key), ...more })))

/** A tenant whose own model is at this address. */
const tenantAt = Effect.fnUntraced(function*(url: string | null) {
  const sql = yield* PgClient.PgClient
  const sealing = yield* sealingOf
  const id = yield* newId("ten")
  yield* sql`INSERT INTO footnote.tenants ${sql.insert({ id, name: "one" })}`
  const sealed = url === null ? null : sealLanguageModel(sealing, id, { url, model: "theirs", api_key: "sk-theirs" })
  yield* sql`INSERT INTO footnote.tenant_settings (tenant_id, language_model) VALUES (${id}, ${sealed})`
  return id
})

const found = (id: TenantId, alone = true, more: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function*() {
    return yield* (yield* TenantModels).find(id, yield* llmDefaults)
  }).pipe(Effect.provide(models(alone, more)))

const played = Effect.acquireRelease(
  Effect.promise(() => playModel(goodMinutes)),
  (server) => Effect.promise(() => server[Symbol.asyncDispose]())
)

layer(Layer.provideMerge(TestDatabase.layer, NodeServices.layer), { excludeTestServices: true })(
  "a tenant's own language model",
  (it) => {
    it.effect("reads the footage of that tenant's jobs with its own key, at no price, and another tenant's never", () =>
      Effect.gen(function*() {
        const server = yield* played
        const [mine, theirs] = [yield* tenantAt(server.url), yield* tenantAt(null)]
        const lane = Layer.merge(laneWith({ FOOTNOTE_LLM_INPUT_PRICE: "7" }), models(true, open))
        const of = (tenant_id: TenantId) => Effect.provide(run(meeting, { json_schema: minutes, tenant_id }), lane)
        const { output } = yield* of(mine)
        assert.isAbove(server.calls.length, 0)
        assert.strictEqual(server.calls[0]!.headers.authorization, "Bearer sk-theirs")
        assert.deepInclude(output.attested!.extractor, { kind: "llm", model: "theirs", endpoint: "tenant" })
        assert.deepStrictEqual([output.cost, output.tokens > 0], [0, true])
        assert.notInclude(JSON.stringify(output), "sk-theirs")
        const { length } = server.calls
        assert.deepInclude((yield* of(theirs)).output.attested!.extractor, { kind: "builtin" })
        assert.lengthOf(server.calls, length)
      }))

    it.effect("is not opened from another tenant's row, with another key or beside other pools", () =>
      Effect.gen(function*() {
        const sql = yield* PgClient.PgClient
        const [mine, thief] = [yield* tenantAt("https://llm.example.com/v1"), yield* tenantAt(null)]
        yield* sql`UPDATE footnote.tenant_settings t SET language_model = s.language_model
        FROM footnote.tenant_settings s WHERE s.tenant_id = ${mine} AND t.tenant_id = ${thief}`
        const failure = yield* Effect.flip(found(thief))
        assert.deepInclude(failure, { _tag: "StageFailure", code: "INTERNAL" })
        assert.notInclude(JSON.stringify(failure), "sk-theirs")
        const other = derived(randomBytes(32).toString("base64"))
        assert.deepInclude(yield* Effect.flip(found(mine, true, other)), { code: "INTERNAL" })
        assert.property(yield* found(mine, false), "unusable")
        assert.property(yield* found(mine), "endpoint")
      }))

    it.effect("that was sealed under the deployment's own key is opened once the API has sealed it for extraction", () =>
      Effect.gen(function*() {
        const sql = yield* PgClient.PgClient
        const sealing = yield* sealingOf
        const tenant_id = yield* tenantAt(null)
        const text = JSON.stringify({ url: "https://llm.example.com/v1", model: "theirs" })
        const earlier = sealing.seal(text, { ...languageModelPlace(tenant_id), key: undefined })
        yield* sql`UPDATE footnote.tenant_settings SET language_model = ${earlier} WHERE tenant_id = ${tenant_id}`
        assert.deepInclude(yield* Effect.flip(found(tenant_id)), { code: "INTERNAL" })
        const reseal = Effect.provideService(resealEarlierModels, Sealing, sealing)
        assert.strictEqual(yield* reseal, 1)
        assert.strictEqual(yield* reseal, 0)
        assert.property(yield* found(tenant_id), "endpoint")
      }))

    it.effect("that cannot be used gives way to the rules with a warning, and never to the deployment's model", () =>
      Effect.gen(function*() {
        const server = yield* played
        const tenant_id = yield* tenantAt("https://llm.example.com/v1")
        const deployment = laneWith({ FOOTNOTE_LLM_URL: server.url, FOOTNOTE_LLM_MODEL: "deployment" })
        const job = run(meeting, { json_schema: minutes, tenant_id })
        const { output } = yield* Effect.provide(job, Layer.merge(deployment, models(false)))
        assert.deepInclude(output.attested!.extractor, { kind: "builtin" })
        assert.include(output.warnings.map(({ code }) => code), "LLM_UNAVAILABLE")
        assert.lengthOf(server.calls, 0)
      }))

    it.effect("at a name that leads to a private address is not reached", () =>
      Effect.gen(function*() {
        const server = yield* played
        // What forbids it stands in the connection itself, whatever the address was when it was set.
        const endpoint = server.endpoint({ guard: { allow_private: "", allow_ports: "" } })
        const out = yield* Effect.promise(() =>
          extractBy(makeLlmProposer(endpoint), inputOf(minutes, meeting), new AbortController().signal)
        )
        assert.deepStrictEqual(out.warnings.map(({ code, message }) => [code, message.includes("not a public one")]), [
          ["LLM_UNAVAILABLE", true]
        ])
        assert.lengthOf(server.calls, 0)
      }))
  }
)
