import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ownedByTenant } from "../src/database/RowSecurity.ts"

// An upload is in one of two tables: here until its last byte is there, in `uploads` from then on. So nothing that reads
// `uploads` can ever take an unfinished one for a file.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE footnote.uploads ADD COLUMN metadata text CHECK (char_length(metadata) <= 4096)`
  // writer: who may append. Whoever comes later takes the place, and what the earlier one still sends is dropped.
  yield* sql`
    CREATE TABLE footnote.incoming_uploads (
      id text PRIMARY KEY CHECK (id LIKE 'upl\\_%'),
      tenant_id text NOT NULL REFERENCES footnote.tenants,
      blob_key text NOT NULL UNIQUE,
      length_bytes bigint NOT NULL CHECK (length_bytes > 0),
      received_bytes bigint NOT NULL DEFAULT 0 CHECK (received_bytes BETWEEN 0 AND length_bytes),
      metadata text CHECK (char_length(metadata) <= 4096),
      writer text,
      created_at timestamptz NOT NULL DEFAULT now(),
      expires_at timestamptz NOT NULL,
      UNIQUE (tenant_id, id)
    )`
  yield* sql`CREATE INDEX incoming_uploads_by_expiry ON footnote.incoming_uploads (expires_at)`
  yield* sql`
    CREATE TABLE footnote.upload_segments (
      upload_id text NOT NULL,
      tenant_id text NOT NULL,
      offset_bytes bigint NOT NULL CHECK (offset_bytes >= 0),
      size_bytes bigint NOT NULL CHECK (size_bytes > 0),
      blob_key text NOT NULL UNIQUE,
      PRIMARY KEY (upload_id, offset_bytes),
      FOREIGN KEY (tenant_id, upload_id) REFERENCES footnote.incoming_uploads (tenant_id, id) ON DELETE CASCADE
    )`
  yield* ownedByTenant("incoming_uploads", ["SELECT", "INSERT", "UPDATE", "DELETE"])
  yield* ownedByTenant("upload_segments", ["SELECT", "INSERT"])
})
