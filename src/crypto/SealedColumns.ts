import type { KeyPurpose } from "./PurposeKey.ts"

/** A column that holds sealed values. A table without tenants has the empty one. */
export interface SealedColumn {
  readonly table: string
  readonly field: string
  readonly row_id: "id" | "name" | "tenant_id"
  readonly tenant_id: "tenant_id" | "''"
  /** See `SealedPlace`. */
  readonly key?: KeyPurpose
}

const owned = { row_id: "id", tenant_id: "tenant_id" } as const

/** Every column that holds sealed values. Beside each stands `<field>_key_id`, the id of the key that it is under. */
export const sealedColumns: ReadonlyArray<SealedColumn> = [
  { table: "destinations", field: "config", ...owned },
  { table: "destinations", field: "signing_secret", ...owned },
  { table: "destinations", field: "previous_signing_secret", ...owned },
  { table: "idempotency_keys", field: "answer", ...owned },
  { table: "jobs", field: "source_sealed", ...owned, key: "source" },
  { table: "jobs", field: "webhook_sealed", ...owned },
  { table: "jobs", field: "webhook_secret", ...owned },
  { table: "tenant_settings", field: "webhook_secret", row_id: "tenant_id", tenant_id: "tenant_id" },
  { table: "tenant_settings", field: "previous_webhook_secret", row_id: "tenant_id", tenant_id: "tenant_id" },
  {
    table: "tenant_settings",
    field: "language_model",
    row_id: "tenant_id",
    tenant_id: "tenant_id",
    key: "tenant_model"
  },
  { table: "oauth_secrets", field: "sealed", row_id: "name", tenant_id: "''" }
]

/** For migrations: the key id's column beside a sealed one, read from the value's own head; null for older forms. */
export const keyIdOf = (field: string): string =>
  `${field}_key_id text GENERATED ALWAYS AS (CASE
    WHEN octet_length(${field}) > 3 AND substring(${field} FROM 1 FOR 3) = '\\x464501'::bytea
    THEN encode(substring(${field} FROM 5 FOR get_byte(${field}, 3)), 'escape') END) STORED`
