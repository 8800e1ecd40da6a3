import assert from "node:assert/strict"
import type { Call, FakeVendor, Intent } from "./FakeHttp.ts"

interface NotionPageKept {
  readonly job_id: string
  readonly body: any
  readonly at: number
}

/** https://developers.notion.com/reference/request-limits: 100 texts of 2,000 characters each, addresses of 2,000. */
const checkRichText = (value: any) => {
  assert.ok(Array.isArray(value) && value.length <= 100, "rich text")
  for (const { text } of value) {
    assert.ok(text.content.length <= 2000, "a text over 2,000 characters")
    assert.ok(!text.content.includes("\0"))
    assert.ok(text.link === undefined || text.link.url.length <= 2000)
  }
}

/**
 * Why Notion would refuse a value, in its words: https://developers.notion.com/reference/page-property-values, and the
 * limits of https://developers.notion.com/reference/request-limits. An option has a name, without a comma, that stands once
 * in a list; a status is one of those that the data source has.
 */
const refusalOf = (name: string, type: string, value: any, options: ReadonlyArray<string>): string | undefined => {
  const should = (what: string, was: unknown) =>
    `body failed validation: body.properties.${name}.${type} should be ${what}, instead was \`${JSON.stringify(was)}\`.`
  const text = (most: number) => typeof value === "string" && value !== "" && value.length <= most
  switch (type) {
    case "multi_select": {
      const names = value.map((option: any) => option.name)
      const good = names.every((option: any) => typeof option === "string" && /^[^,]{1,100}$/u.test(option))
      return good && new Set(names).size === names.length && names.length <= 100 ? undefined : should("options", value)
    }
    case "select":
      return /^[^,]{1,100}$/u.test(value.name) ? undefined : should("an option", value)
    case "status":
      return options.includes(value.name) ? undefined : should("an existing option", value)
    case "url":
      return text(2000) && URL.canParse(value) ? undefined : should("a url", value)
    case "email":
    case "phone_number":
      return text(200) ? undefined : should("a string", value)
    // ISO 8601: https://developers.notion.com/reference/page-property-values#date
    case "date":
      return Number.isNaN(Date.parse(value.start)) ? should("a valid ISO 8601 date string", value.start) : undefined
    case "people":
      return value.every((user: any) => /^[0-9a-f-]{32,36}$/u.test(user.id)) ? undefined : should("users", value)
    default:
      return undefined
  }
}

/** Notion's limits on a page that is made by one request; `refused` is what it would say of it. */
const checkPage = (call: Call, data_source_id: string, properties: Readonly<Record<string, Kind>>) => {
  assert.ok(Buffer.byteLength(call.body) <= 500_000, "a request over 500 KB")
  const body = JSON.parse(call.body)
  assert.deepEqual(body.parent, { type: "data_source_id", data_source_id })
  assert.ok(body.children.length <= 100)
  for (const block of body.children) checkRichText(block[block.type].rich_text)
  let refused: string | undefined
  for (const [name, property] of Object.entries<any>(body.properties)) {
    const kind = properties[name]
    const type = Object.keys(property)[0]!
    if (kind === undefined) refused ??= `${name} is not a property that exists.`
    else if (typeOf(kind) !== type) refused ??= `${name} is expected to be ${typeOf(kind)}.`
    else refused ??= refusalOf(name, type, property[type], typeof kind === "string" ? [] : kind.status)
    if (type === "title" || type === "rich_text") checkRichText(property[type])
  }
  return { body, refused }
}

/** A property's type; of a status with its options. */
type Kind = string | { readonly status: ReadonlyArray<string> }
const typeOf = (kind: Kind): string => typeof kind === "string" ? kind : "status"

/**
 * A workspace with one database, whose data sources are `data_source_id` and as many as `more_sources` says
 * (https://developers.notion.com/docs/upgrade-guide-2025-09-03). What was written shows up in queries after `lag_ms`.
 * A request that is wrong is 400 `validation_error` with what is wrong: https://developers.notion.com/reference/status-codes.
 */
export const fakeNotion = (options: {
  readonly token: string
  readonly data_source_id: string
  readonly database_id: string
  readonly properties: Readonly<Record<string, Kind>>
  readonly more_sources?: number
  readonly lag_ms?: number
}) => {
  const { data_source_id, database_id, lag_ms = 0, more_sources = 0, token } = options
  let refusing: string | undefined
  const properties: Record<string, Kind> = { ...options.properties }
  const keyName = () => Object.keys(properties).find((name) => name.toLowerCase() === "job id")!
  const pages: Array<NotionPageKept> = []
  const answer = (call: Call): Intent => {
    if (call.headers.authorization !== `Bearer ${token}`) {
      return { reply: { status: 401, json: { object: "error", code: "unauthorized" } } }
    }
    assert.match(String(call.headers["notion-version"]), /^\d{4}-\d{2}-\d{2}$/u)
    switch (`${call.method} ${call.path}`) {
      case "GET /v1/users/me":
        return { reply: { status: 200, json: { object: "user", type: "bot" } } }
      case `GET /v1/databases/${database_id}`: {
        const ids = [data_source_id, ...Array.from({ length: more_sources }, (_, at) => `${at}`.padStart(32, "0"))]
        const data_sources = ids.map((id) => ({ id, name: "Jobs" }))
        return { reply: { status: 200, json: { object: "database", id: database_id, data_sources } } }
      }
      case `GET /v1/data_sources/${data_source_id}`:
        return {
          reply: {
            status: 200,
            json: {
              object: "data_source",
              id: data_source_id,
              properties: Object.fromEntries(
                Object.entries(properties).map(([name, kind]) => {
                  const type = typeOf(kind)
                  const config = typeof kind === "string" ? {} : { options: kind.status.map((name) => ({ name })) }
                  return [name, { id: name, name, type, [type]: config }]
                })
              )
            }
          }
        }
      case `POST /v1/data_sources/${data_source_id}/query`: {
        const { filter, page_size } = JSON.parse(call.body)
        assert.equal(filter.property, keyName())
        assert.ok(page_size >= 1 && page_size <= 100, "page_size")
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
        const { body, refused = refusing } = checkPage(call, data_source_id, properties)
        if (refused !== undefined) {
          return { reply: { status: 400, json: { object: "error", code: "validation_error", message: refused } } }
        }
        const job_id = body.properties[keyName()].rich_text[0].text.content
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
  return {
    vendor,
    pages,
    properties,
    /** From now on every page is refused with these words. */
    refuse: (message: string) => void (refusing = message)
  }
}
