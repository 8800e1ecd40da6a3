import { assert, describe, it } from "@effect/vitest"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { axeViolations } from "../support/Chromium.ts"
import { type AppScene, ask, extractedAgain, opened, patience, signedIn } from "./AppScene.ts"

/** Its manifest is verified by what lies in the page. */
const verified = async (page: Page) => {
  await page.getByRole("tab", { name: "Record" }).click()
  await page.getByRole("button", { name: "Verify here" }).click()
  assert.match(await page.locator(".verdict").innerText(), /signature holds, and \d+ files/u)
}

/** What people do with a result: review it, send it, cut clips of it, erase it. */
export const reviewSuite = (scene: () => AppScene) => {
  describe("a result of one's own", () => {
    it("is accepted, corrected with marked words and a drawn box, rejected and chosen from candidates, as one revision", async () => {
      const id = await extractedAgain(scene(), { precision: "strict" })
      const evidence = await ask(scene(), "GET", `/v1/jobs/${id}/evidence`)
      const empty = evidence.json.unfilled.find(({ candidates }: any) => candidates.length > 0)
      const { close, faults, go, page } = await signedIn(scene())
      const open = async (pointer: string) => {
        await go(`jobs/${id}/evidence${pointer}`)
        await page.locator(`[data-pointer="${pointer}"][aria-expanded=true]`).waitFor()
      }
      await open("/url")
      await page.getByRole("button", { name: "Accept", exact: true }).click()
      await open("/presenters/0")
      await page.getByRole("button", { name: "Correct", exact: true }).click()
      await page.getByLabel("The right value").fill("Anna Coles")
      await page.locator(".word").nth(0).click()
      await page.locator(".word").nth(1).click()
      // Two clicks on corners, as whoever cannot drag does it.
      await page.getByRole("button", { name: "Mark a part of the picture" }).click()
      const picture = (await page.locator(".draw-box").boundingBox())!
      for (const [x, y] of [[0.05, 0.2], [0.7, 0.7]] as const) {
        await page.mouse.click(picture.x + picture.width * x, picture.y + picture.height * y)
      }
      await page.locator(".draw-box").waitFor({ state: "detached" })
      await page.getByRole("button", { name: "Correct it" }).click()
      await open("/presenters/1")
      await page.getByRole("button", { name: "Reject", exact: true }).click()
      await open(empty.pointer)
      await page.getByRole("button", { name: /^Take “/u }).first().click()
      await page.getByRole("button", { name: "Save 4 decisions" }).click()
      await page.locator("#review-note").fill("Looked at the title slide.")
      assert.deepStrictEqual(await axeViolations(page), [])
      await page.getByRole("button", { name: "Save revision 1" }).click()
      await page.getByText("Revision 1", { exact: true }).waitFor()
      const [review] = (await ask(scene(), "GET", `/v1/jobs/${id}/reviews`)).json.data
      assert.strictEqual(review.note, "Looked at the title slide.")
      const reviewed = (await ask(scene(), "GET", `/v1/jobs/${id}/evidence?reviewed=true`)).json
      const { result } = (await ask(scene(), "GET", `/v1/jobs/${id}/result?reviewed=true`)).json
      const corrected = reviewed.spans.find(({ pointer }: any) => pointer === "/presenters/0")
      assert.strictEqual(corrected.origin, "person")
      const [said, shown] = corrected.citations
      assert.match(said.source_ref, /^seg#/u)
      assert.match(shown.source_ref, /^frame#/u)
      const [x, y, width, height] = /percent:(.+)$/u.exec(shown.media_fragment)![1]!.split(",").map(Number)
      assert.closeTo(x!, 5, 1)
      assert.closeTo(y!, 20, 1)
      assert.closeTo(width!, 65, 1)
      assert.closeTo(height!, 50, 1)
      assert.include(shown.quote, "Garden Helper")
      assert.deepStrictEqual(result.presenters, ["Anna Coles"])
      const chosen = reviewed.spans.find(({ pointer }: any) => pointer === empty.pointer)
      assert.deepStrictEqual(chosen?.value, empty.candidates[0].value)
      await open("/presenters/0")
      await page.getByText(/Reviewed by/u).waitFor()
      await page.getByText("A person gave this value in a review").waitFor()
      assert.notInclude(await page.locator(`[data-pointer="/presenters/0"]`).innerText(), "stated")
      assert.isAtLeast(Number(await page.locator(".count-part.person b").innerText()), 1)

      // What is sent is what the person left.
      await go("destinations")
      await page.getByLabel("Name").fill("Ledger")
      await page.getByLabel("Address", { exact: false }).first().fill(scene().hook.url)
      await page.getByRole("button", { name: "Make the destination" }).click()
      await page.getByText("Signing secret").waitFor()
      await go(`jobs/${id}`)
      await page.getByRole("button", { name: "Save or send" }).click()
      await page.getByRole("button", { name: "Send revision 1" }).click()
      await page.getByText("On its way to Ledger").waitFor()
      assert.deepStrictEqual(await axeViolations(page), [])
      await page.getByRole("link", { name: "See the deliveries" }).click()
      const row = page.locator(".log .job-row", { hasText: "job.reviewed" })
      for (let sent = false; !sent;) {
        await page.getByRole("button", { name: "Look again" }).click()
        await row.waitFor()
        sent = (await row.innerText()).includes("succeeded")
      }
      const told = scene().hook.received.map(({ body }) => JSON.parse(body)).find(({ type }) => type === "job.reviewed")
      assert.strictEqual(told.data.job.result.presenters[0], "Anna Coles")
      await page.getByRole("button", { name: "Delete Ledger" }).click()
      await page.getByRole("button", { name: "Delete Ledger" }).waitFor({ state: "detached" })
      assert.deepStrictEqual(faults(), [])

      // And erased it is gone for whoever asks.
      await go(`jobs/${id}`)
      await page.getByRole("button", { name: "Save or send" }).click()
      await page.getByRole("button", { name: "Erase the job…" }).click()
      await page.getByRole("button", { name: "Erase for good" }).click()
      await page.locator(".job-row").first().waitFor()
      assert.strictEqual((await ask(scene(), "GET", `/v1/jobs/${id}`)).status, 404)
      await close()
    })

    it("is cut into a clip of the moment that is cited", async () => {
      const { close, go, page } = await signedIn(scene())
      const span = scene().spans.find(({ t_end, t_start }) => t_end - t_start < 4)!
      await go(`jobs/${scene().job_id}/evidence${span.pointer}`)
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "a clip, GIF" }).click()
      ])
      assert.match(file.suggestedFilename(), /^job_.+-\d+\.\d\.gif$/u)
      assert.strictEqual(readFileSync(await file.path()).subarray(0, 4).toString(), "GIF8")
      await close()
    })

    it("has its voices named, and two of them made one, and shows so at once", async () => {
      const id = await extractedAgain(scene(), { precision: "balanced", title: "Voices" })
      const { close, faults, go, page } = await signedIn(scene())
      await go(`jobs/${id}/transcript`)
      const named = async (change: () => Promise<unknown>) => {
        await page.getByRole("button", { name: "Name speakers" }).click()
        await change()
        await page.getByRole("button", { name: "Save the names" }).click()
        await page.getByRole("dialog").waitFor({ state: "detached" })
      }
      const { speakers } = (await ask(scene(), "GET", `/v1/jobs/${id}/speakers`)).json
      await named(() => page.getByLabel(`Name of ${speakers[0].heard_as}`).fill("Anna <b>Cole</b>"))
      await page.locator(".speaker", { hasText: "Anna <b>Cole</b>" }).first().waitFor()
      await named(() => page.getByLabel(`Whose voice ${speakers[1].heard_as} is`).selectOption(speakers[0].id))
      await page.locator(".speaker", { hasText: speakers[1].heard_as }).first().waitFor({ state: "detached" })
      assert.deepStrictEqual([...new Set(await page.locator(".speaker").allInnerTexts())], ["Anna <b>Cole</b>"])
      // Its page from a disk shows the names and what people corrected, and verifies what was signed before that.
      const { api_key, base_url, folder } = scene().service
      const savedPage = async (name: string, query: string) => {
        const answer = await fetch(`${base_url}/v1/jobs/${id}/report.html${query}`, {
          headers: { authorization: `Bearer ${api_key}` }
        })
        const file = join(folder, name)
        writeFileSync(file, await answer.text())
        return opened(scene().browser, file)
      }
      const own = await savedPage("named.html", "")
      await own.page.locator(".speaker", { hasText: "Anna <b>Cole</b>" }).first().waitFor()
      await verified(own.page)
      await own.close()
      const decisions = [{ pointer: "/product", action: "correct", value: "By hand" }]
      assert.strictEqual(
        (await ask(scene(), "POST", `/v1/jobs/${id}/reviews`, { base_revision: 0, decisions })).status,
        201
      )
      const reviewed = await savedPage("reviewed.html", "?reviewed=true")
      await reviewed.page.locator(".leaf", { hasText: "By hand" }).first().waitFor()
      await verified(reviewed.page)
      await reviewed.page.getByText("revision 1", { exact: true }).waitFor()
      await reviewed.close()
      assert.deepStrictEqual(faults(), [])
      await close()
    })

    it("is reviewed by keys alone, from signing in to the saved revision", async () => {
      const id = await extractedAgain(scene(), { precision: "balanced", title: "By keys" })
      const { browser, service } = scene()
      const page = await browser.newPage()
      page.setDefaultTimeout(patience)
      await page.goto(service.base_url)
      await page.getByLabel("API key").waitFor()
      const press = (key: string) => page.keyboard.press(key)
      const here = () =>
        page.evaluate<string>(
          `(() => { const one = document.activeElement; return one === document.body ? "" : one.getAttribute("aria-label") ??
          one.labels?.[0]?.innerText ?? one.innerText ?? "" })()`
        )
      const tabTo = async (name: RegExp) => {
        for (let tabs = 0; tabs < 120; tabs += 1) {
          if (name.test(await here())) return
          await press("Tab")
        }
        assert.fail(`Tab does not lead to ${name}`)
      }
      await tabTo(/^API key/u)
      await page.keyboard.insertText(service.api_key)
      await press("Enter")
      await page.locator(".job-row").first().waitFor()
      await tabTo(/By keys/u)
      await press("Enter")
      await page.locator(".leaf-button").first().waitFor()
      await press("ArrowDown")
      await page.locator(".leaf.open").waitFor()
      await tabTo(/^Accept$/u)
      await press("Enter")
      await page.getByText("You accept this.").waitFor()
      await tabTo(/^Save 1 decision$/u)
      await press("Enter")
      await page.getByRole("dialog").waitFor()
      // A dialog is left by Escape, and gives the focus back.
      await press("Escape")
      await page.getByRole("dialog").waitFor({ state: "hidden" })
      assert.match(await here(), /^Save 1 decision$/u)
      await press("Enter")
      await tabTo(/^Save revision 1$/u)
      await press("Enter")
      await page.getByText("Revision 1", { exact: true }).waitFor()
      assert.strictEqual((await ask(scene(), "GET", `/v1/jobs/${id}/result?reviewed=true`)).json.revision, 1)
      await page.context().close()
    })
  })
}
