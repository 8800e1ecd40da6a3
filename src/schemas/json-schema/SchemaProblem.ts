type SchemaProblemReason =
  | "not_json_schema"
  | "unsupported_dialect"
  | "unsupported_text"
  | "unsupported_number"
  | "too_large"
  | "too_deep"
  | "too_many_properties"
  | "too_many_enum_values"
  | "too_complex"
  | "ref_cycle"
  | "unresolved_ref"
  | "external_ref"
  | "ambiguous_ref"
  | "dynamic_ref"
  | "pattern_unsupported"
  | "unsatisfiable"

/** One thing that keeps a schema from being used; `path` is a JSON pointer into the schema. */
export interface SchemaProblem {
  readonly path: string
  readonly message: string
  readonly reason: SchemaProblemReason
}
