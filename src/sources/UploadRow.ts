import { toInstant } from "../database/Instant.ts"
import type { Upload } from "./Upload.ts"
import { filenameIn } from "./UploadName.ts"

type Bytes = number | string | bigint

/** A row of `footnote.uploads`: a file that is here. */
export interface UploadRow {
  readonly id: string
  readonly blob_key: string
  readonly size_bytes: Bytes
  readonly sha256: string
  /** `Upload-Metadata` of tus as it was sent, or what another header said in its words. */
  readonly metadata: string | null
  readonly created_at: Date
  readonly expires_at: Date
}

export const uploadColumns = "id, blob_key, size_bytes, sha256, metadata, created_at, expires_at"

/** A row of `footnote.incoming_uploads`: a file that is still coming. */
export interface IncomingRow {
  readonly id: string
  readonly blob_key: string
  readonly length_bytes: Bytes
  readonly received_bytes: Bytes
  readonly metadata: string | null
  readonly created_at: Date
  readonly expires_at: Date
}

export const toUpload = (row: UploadRow): Upload => ({
  id: row.id,
  uri: `upload://${row.id}`,
  size_bytes: Number(row.size_bytes),
  received_bytes: Number(row.size_bytes),
  filename: filenameIn(row.metadata),
  sha256: row.sha256,
  created_at: toInstant(row.created_at),
  expires_at: toInstant(row.expires_at)
})

export const toIncoming = (row: IncomingRow, sha256: string | null = null): Upload => ({
  id: row.id,
  uri: `upload://${row.id}`,
  size_bytes: Number(row.length_bytes),
  received_bytes: Number(row.received_bytes),
  filename: filenameIn(row.metadata),
  sha256,
  created_at: toInstant(row.created_at),
  expires_at: toInstant(row.expires_at)
})

/** Where the pieces of an unfinished upload lie, below a key that no finished one has. */
export const segmentsOf = (blob_key: string): string => `${blob_key}.segments`
