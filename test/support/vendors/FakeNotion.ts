import assert from "node:assert/strict"
import type { Call, FakeVendor, Intent } from "./FakeHttp.ts"

interface NotionPageKept {
  readonly job_id: string
  readonly body: any
  readonly at: number
}

const checkRichText = (value: any) => {
  assert.ok(Array.isArray(value) && value.length <= 100, "rich text")
  for (const { text } of value) {
    assert.ok(text.content.length <= 2000, "a text over 2,000 characters")
    assert.ok(!text.content.includes("\0"))
  }
}

/** Notion's limits on a page that is made by one request. */
const checkPage = (call: Call, data_source_id: string, properties: Readonly<Record<string, string>>) => {
  assert.ok(Buffer.byteLength(call.body) <= 500_000, "a request over 500 KB")
  const body = JSON.parse(call.body)
  assert.deepEqual(body.parent, { type: "data_source_id", data_source_id })
  assert.ok(body.children.length <= 100)
  for (const block of body.children) checkRichText(block[block.type].rich_text)
  for (const [name, property] of Object.entries<any>(body.properties)) {
    const type = properties[name]
    assert.ok(type !== undefined, `no property ${name}`)
    assert.deepEqual(Object.keys(property), [type], `${name} is of type ${type}`)
    if (type === "title" || type === "rich_text") checkRichText(property[type])
  }
  return body
}

/** A workspace with one data source. What was written shows up in queries after `lag_ms`. */
export const fakeNotion = (options: {
  readonly token: string
  readonly data_source_id: string
  readonly properties: Readonly<Record<string, string>>
  readonly lag_ms?: number
}) => {
  const { data_source_id, lag_ms = 0, properties, token } = options
  const pages: Array<NotionPageKept> = []
  const answer = (call: Call): Intent => {
    if (call.headers.authorization !== `Bearer ${token}`) {
      return { reply: { status: 401, json: { object: "error", code: "unauthorized" } } }
    }
    assert.match(String(call.headers["notion-version"]), /^\d{4}-\d{2}-\d{2}$/u)
    switch (`${call.method} ${call.path}`) {
      case "GET /v1/users/me":
        return { reply: { status: 200, json: { object: "user", type: "bot" } } }
      case `GET /v1/data_sources/${data_source_id}`:
        return {
          reply: {
            status: 200,
            json: {
              object: "data_source",
              id: data_source_id,
              properties: Object.fromEntries(
                Object.entries(properties).map(([name, type]) => [name, { id: name, name, type, [type]: {} }])
              )
            }
          }
        }
      case `POST /v1/data_sources/${data_source_id}/query`: {
        const { filter, page_size } = JSON.parse(call.body)
        assert.equal(filter.property, "Job ID")
        assert.equal(page_size, 1)
        return {
          reply: () => {
            const seen = pages.filter(({ at, job_id }) =>
              job_id === filter.rich_text.equals && Date.now() - at >= lag_ms
            )
            const results = seen.toReversed().slice(0, page_size).map(({ at }) => ({
              object: "page",
              created_time: `${new Date(at).toISOString().slice(0, 16)}:00.000Z`
            }))
            return { status: 200, json: { object: "list", results, has_more: false, next_cursor: null } }
          }
        }
      }
      case "POST /v1/pages": {
        const body = checkPage(call, data_source_id, properties)
        const job_id = body.properties["Job ID"].rich_text[0].text.content
        return {
          commit: () => pages.push({ job_id, body, at: Date.now() }),
          reply: { status: 200, json: { object: "page", id: "p1" } }
        }
      }
      default:
        return { reply: { status: 404, json: { object: "error", code: "object_not_found" } } }
    }
  }
  const vendor: FakeVendor = {
    prefix: "/notion",
    key: (call) => call.headers.authorization ?? "",
    answer,
    tooMany: { status: 429, json: { object: "error", code: "rate_limited" } }
  }
  return { vendor, pages }
}
