import { Effect } from "effect"
import type { TenantSql } from "../database/TenantSql.ts"
import { isId, type TenantId } from "../identity/Id.ts"
import { filenameIn } from "./UploadName.ts"

const mostCharacters = 200

/** A name without characters that cannot be seen or turn text around, cut at 200; undefined where nothing of it is left. */
export const plainTitle = (name: string): string | undefined => {
  const text = [...name.replaceAll(/[\p{Cc}\p{Cf}]/gu, "").trim()].slice(0, mostCharacters).join("")
  return text === "" ? undefined : text
}

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** The last part of an address's path, which mostly is a file's name, or what a sample is called; undefined where there is none. */
export const titleOfAddress = (uri: string): string | undefined => {
  const { host = "", pathname = "", protocol } = URL.parse(uri) ?? {}
  const path = protocol === "sample:" ? host : pathname
  const last = path.split("/").findLast((segment) => segment !== "")
  return last === undefined ? undefined : plainTitle(decoded(last))
}

/** What an upload's sender calls the file. */
export const titleOfMetadata = (metadata: string | null | undefined): string | undefined => {
  const name = filenameIn(metadata ?? null)
  return name === null ? undefined : plainTitle(name)
}

/** What a source is called where its caller says nothing. Cut at 200 characters, without any that cannot be seen. */
export const sourceTitle = Effect.fn("SourceTitle.of")(function*(
  { inTenant, sql }: TenantSql["Service"],
  tenant_id: TenantId,
  source_uri: string
) {
  const upload_id = /^upload:\/\/(.*)$/u.exec(source_uri)?.[1]
  if (upload_id === undefined) return titleOfAddress(source_uri)
  const [row] = isId("upl", upload_id)
    ? yield* inTenant(tenant_id)(sql<{ readonly metadata: string | null }>`
      SELECT metadata FROM footnote.uploads WHERE id = ${upload_id} AND tenant_id = ${tenant_id}`)
    : []
  return titleOfMetadata(row?.metadata)
})
