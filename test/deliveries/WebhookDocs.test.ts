import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { openApiDocument } from "../../src/api/OpenApiDocument.ts"
import { EventKind } from "../../src/deliveries/model/EventKind.ts"
import { webhookEvents } from "../../src/deliveries/model/WebhookEvent.ts"
import { makeWebhookSecret } from "../../src/deliveries/signing/WebhookSecret.ts"
import { webhookHeaders } from "../../src/deliveries/signing/WebhookSignature.ts"

const page = readFileSync(new URL("../../docs/webhooks.md", import.meta.url), "utf8")
const code = /```js\n([\s\S]*?)```/u.exec(page)![1]!

describe("docs/webhooks.md", () => {
  it("has ten lines that take what is signed, and nothing that is changed, old or signed by another", async () => {
    const { isOurs } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
    const [ours, other] = [makeWebhookSecret(), makeWebhookSecret()]
    const now = Math.floor(Date.now() / 1000)
    const signed = (secrets: ReadonlyArray<string>, timestamp = now) =>
      webhookHeaders({ id: "evt_1", timestamp, body: "{\"ä\":1}", secrets })
    assert.isTrue(isOurs(ours, signed([ours]), "{\"ä\":1}"))
    assert.isTrue(isOurs(ours, signed([other, ours]), "{\"ä\":1}"))
    assert.isFalse(isOurs(ours, signed([other]), "{\"ä\":1}"))
    assert.isFalse(isOurs(ours, signed([ours]), "{\"ä\":2}"))
    assert.isFalse(isOurs(ours, signed([ours], now - 3600), "{\"ä\":1}"))
    assert.isFalse(isOurs(ours, { ...signed([ours]), "webhook-id": "evt_2" }, "{\"ä\":1}"))
    assert.isAtMost(code.trim().split("\n").length, 11)
  })

  it("names every kind of event, as the API document does", () => {
    const kinds = Object.keys(webhookEvents)
    const told = [...page.matchAll(/^\| `([a-z]+\.[a-z]+)` \|/gmu)].map(([, kind]) => kind)
    assert.deepStrictEqual(told, kinds)
    assert.deepStrictEqual(Object.keys(JSON.parse(openApiDocument()).webhooks), kinds)
    assert.includeMembers(kinds, [...EventKind.literals])
  })
})
