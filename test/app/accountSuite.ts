import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { hashApiKey, mintSecret, visiblePrefix } from "../../src/api-keys/ApiKeySecret.ts"
import { newId } from "../../src/identity/Id.ts"
import { type AppScene, ask, signedIn } from "./AppScene.ts"

/** Another tenant of the same service, by its key. */
const stranger = ({ service }: AppScene) =>
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const [tenant_id, secret] = [yield* newId("ten"), mintSecret()]
    yield* sql`INSERT INTO footnote.tenants ${sql.insert({ id: tenant_id, name: "Stranger" })}`
    yield* sql`INSERT INTO footnote.api_keys (id, tenant_id, name, prefix, secret_sha256)
      VALUES (${yield* newId("key")}, ${tenant_id}, 'theirs', ${visiblePrefix(secret)}, ${hashApiKey(secret)})`
    return secret
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(service.database_url) })), Effect.runPromise)

/** Two pieces of 16 MiB, the second of which is short. */
const pieceBytes = 16 * 1024 * 1024
const footage = Buffer.alloc(pieceBytes + 1_000_000, 7)

/** A page of another origin that sends a form to the service, with whatever cookies the browser gives it. */
const otherSite = async (action: string) => {
  const server = createServer((_, response) =>
    void response.writeHead(200, { "content-type": "text/html" })
      .end(`<form method="post" action="${action}" enctype="text/plain"><button>Send</button></form>`)
  )
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => void server.close()
  }
}

/** Who is signed in, what is theirs, and what is not. */
export const accountSuite = (scene: () => AppScene) => {
  describe("an account", () => {
    it("makes a key that opens the service until it is revoked", async () => {
      const { close, faults, go, page } = await signedIn(scene())
      await go("keys")
      await page.getByLabel("Name").fill("For the night run")
      await page.getByRole("button", { name: "Make the key" }).click()
      const secret = await page.locator(".secret code").innerText()
      const opens = async () =>
        (await fetch(`${scene().service.base_url}/v1/jobs`, { headers: { authorization: `Bearer ${secret}` } })).status
      assert.strictEqual(await opens(), 200)
      await page.getByRole("button", { name: "Revoke For the night run" }).click()
      await page.getByText(/revoked /u).waitFor()
      assert.strictEqual(await opens(), 401)
      assert.deepStrictEqual(faults(), [])
      await close()
    })

    it("sees of another tenant's job what it sees of none, and none of its footage", async () => {
      const { close, context, go, page } = await signedIn(scene(), await stranger(scene()))
      const said: Array<string> = []
      for (const id of [scene().job_id, `job_${randomBytes(13).toString("hex")}`]) {
        await go(`jobs/${id}`)
        await page.getByRole("alert").waitFor()
        said.push(await page.getByRole("alert").innerText())
        assert.strictEqual(await page.locator(".leaf-button").count(), 0)
      }
      assert.match(said[0]!, /no such job/iu)
      assert.strictEqual(said[0], said[1])
      for (const path of ["media", "report.html", "export", "clips?t_start=0&t_end=1"]) {
        const answer = await context.request.get(`${scene().service.base_url}/v1/jobs/${scene().job_id}/${path}`)
        assert.strictEqual(answer.status(), 404, path)
      }
      await close()
    })

    it("changes nothing by a form of another origin, though the browser sends its cookie, nor by a call without the token", async () => {
      const { close, context, page } = await signedIn(scene())
      const retry = `${scene().service.base_url}/v1/jobs/${scene().job_id}/retry`
      const count = async () => (await ask(scene(), "GET", "/v1/jobs?limit=100")).json.data.length as number
      const before = await count()
      const bare = await page.evaluate<number>(`fetch("${retry}", { method: "POST" }).then(({ status }) => status)`)
      assert.strictEqual(bare, 403)
      const site = await otherSite(retry)
      const theirs = await context.newPage()
      await theirs.goto(site.url)
      const [answer] = await Promise.all([
        theirs.waitForResponse((response) => response.url() === retry),
        theirs.getByRole("button").click()
      ])
      assert.strictEqual(answer.status(), 403)
      assert.strictEqual(await count(), before)
      site.close()
      await close()
    })

    it("takes an upload up again where it broke off, by itself and with the same file after a reload", async () => {
      const { close, context, go, page } = await signedIn(scene())
      const offsets: Array<string> = []
      let breaking = "once"
      await context.route("**/v1/uploads/*", async (route) => {
        const request = route.request()
        if (request.method() !== "PATCH") return route.continue()
        const offset = request.headers()["upload-offset"]!
        offsets.push(offset)
        if (offset !== "0" && breaking !== "never") {
          if (breaking === "once") breaking = "never"
          return route.abort("connectionreset")
        }
        return route.continue()
      })
      // Files of a disk: one that is made of bytes would be of another moment each time, and so another file.
      const folder = mkdtempSync(join(tmpdir(), "footnote-test-"))
      for (const name of ["first.mp4", "second.mp4"]) writeFileSync(join(folder, name), footage)
      const choose = (name: string) => page.setInputFiles("#source-file", join(folder, name))
      await go("new")
      await choose("first.mp4")
      await page.getByText("All of it is here.").waitFor()
      assert.deepStrictEqual(offsets, ["0", String(pieceBytes), String(pieceBytes)])

      breaking = "always"
      offsets.length = 0
      await page.getByRole("button", { name: "Another file" }).click()
      const broken = page.waitForEvent(
        "requestfailed",
        (request) => request.method() === "PATCH" && request.headers()["upload-offset"] === String(pieceBytes)
      )
      await choose("second.mp4")
      await broken
      await page.reload()
      breaking = "never"
      offsets.length = 0
      await page.locator("#source-file").waitFor({ state: "attached" })
      await choose("second.mp4")
      await page.getByText("All of it is here.").waitFor()
      assert.deepStrictEqual(offsets, [String(pieceBytes)])
      rmSync(folder, { recursive: true })
      await close()
    })

    it("sees a batch with what became of each item, and titles of jobs as the text that they are", async () => {
      const title = `<img src=x onerror="alert(1)"></script>`
      const job = { source_uri: "sample://product-demo", title }
      const batch = await ask(scene(), "POST", "/v1/jobs/batch", { jobs: [job, { source_uri: "ftp://example.com/x" }] })
      const [{ job: { id } }] = batch.json.data
      await ask(scene(), "POST", `/v1/jobs/${id}/cancel`)
      const { close, faults, go, page } = await signedIn(scene())
      await go("batches")
      await page.locator(".job-row", { hasText: "2 jobs" }).first().click()
      await page.locator(".job-row", { hasText: title }).waitFor()
      await page.locator(".job-row", { hasText: "refused" }).waitFor()
      await page.locator(".job-row", { hasText: title }).click()
      await page.getByRole("alert").getByText("cancelled").waitFor()
      await page.locator(".stages .waiting", { hasText: "Fill the schema" }).getByText("not begun").waitFor()
      assert.strictEqual(await page.locator("h1").innerText(), title)
      assert.strictEqual(await page.locator("img[src=x]").count(), 0)
      await page.getByRole("button", { name: "Erase the job…" }).click()
      await page.getByRole("button", { name: "Erase for good" }).click()
      await page.locator(".job-row").first().waitFor()
      assert.strictEqual((await ask(scene(), "GET", `/v1/jobs/${id}`)).status, 404)
      assert.deepStrictEqual(faults(), [])
      await close()
    })
  })
}
