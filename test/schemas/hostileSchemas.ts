/** `levels` definitions, each naming the next `width` times: the last level is reached width^levels times. */
const bomb = (keyword: string, levels: number, width: number) => {
  const $defs: Record<string, unknown> = { [`d${levels}`]: { type: "object" } }
  for (let level = 0; level < levels; level++) {
    const next = { $ref: `#/$defs/d${level + 1}` }
    $defs[`d${level}`] = keyword === "properties"
      ? { properties: Object.fromEntries(Array.from({ length: width }, (_, i) => [`p${i}`, next])) }
      : { [keyword]: Array.from({ length: width }, () => next) }
  }
  return { $defs, $ref: "#/$defs/d0" }
}

const nested = (levels: number, wrap: (inner: unknown) => unknown): unknown => {
  let schema: unknown = { type: "string" }
  for (let level = 0; level < levels; level++) schema = wrap(schema)
  return schema
}

/** Resources that each may be entered or not before the one whose references depend on all of them: 2^levels copies. */
const scopes = (levels: number) => {
  const $defs: Record<string, unknown> = {
    end: {
      $id: "end",
      properties: Object.fromEntries(Array.from({ length: levels }, (_, i) => [`p${i}`, { $dynamicRef: `#a${i}` }])),
      $defs: Object.fromEntries(Array.from({ length: levels }, (_, i) => [`a${i}`, { $dynamicAnchor: `a${i}` }]))
    }
  }
  for (let level = 0; level < levels; level++) {
    const next = { $ref: level + 1 === levels ? "end" : `r${level + 1}` }
    $defs[`r${level}`] = {
      $id: `r${level}`,
      anyOf: [next, { $id: `s${level}`, $defs: { a: { $dynamicAnchor: `a${level}`, type: "string" } }, ...next }]
    }
  }
  return { $defs, $ref: "r0" }
}

/** Schemas that stop or kill a validator, with the reason for which they are refused; null where they are harmless here. */
export const hostileSchemas: Readonly<Record<string, { readonly schema: unknown; readonly reason: string | null }>> = {
  "5,000 levels of properties": { schema: nested(5000, (a) => ({ properties: { a } })), reason: "too_deep" },
  "5,000 levels of arrays": { schema: { enum: nested(5000, (a) => [a]) }, reason: "too_deep" },
  "20,000 properties": {
    schema: { properties: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`p${i}`, {}])) },
    reason: "too_large"
  },
  "2,000 properties": {
    schema: { properties: Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`p${i}`, {}])) },
    reason: "too_many_properties"
  },
  "3,000 enum values": { schema: { enum: Array.from({ length: 3000 }, (_, i) => i) }, reason: "too_many_enum_values" },
  "a reference to itself": { schema: { $ref: "#" }, reason: "ref_cycle" },
  "two references to each other": {
    schema: { $defs: { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }] } }, $ref: "#/$defs/a" },
    reason: "ref_cycle"
  },
  "an allOf bomb": { schema: bomb("allOf", 24, 2), reason: "too_complex" },
  "an anyOf bomb": { schema: bomb("anyOf", 12, 10), reason: "too_complex" },
  "a oneOf bomb": { schema: bomb("oneOf", 12, 10), reason: "too_complex" },
  "a properties bomb": { schema: bomb("properties", 24, 2), reason: "too_complex" },
  "a remote reference": { schema: { $ref: "http://169.254.169.254/latest/meta-data" }, reason: "external_ref" },
  "a file reference": { schema: { $ref: "file:///etc/passwd" }, reason: "external_ref" },
  "a reference into nothing": { schema: { $ref: "#/$defs/gone" }, reason: "unresolved_ref" },
  "a dynamic reference into nothing": { schema: { $dynamicRef: "#node" }, reason: "unresolved_ref" },
  "a dynamic reference that its draft does not have": {
    schema: { $schema: "http://json-schema.org/draft-07/schema#", $dynamicRef: "#" },
    reason: "dynamic_ref"
  },
  "a dynamic reference to itself": { schema: { $dynamicAnchor: "a", $dynamicRef: "#a" }, reason: "ref_cycle" },
  "a bomb of dynamic scopes": { schema: scopes(16), reason: "too_complex" },
  "two schemas of one name": {
    schema: { $defs: { a: { $id: "x", type: "string" }, b: { $id: "x", type: "number" } }, $ref: "x" },
    reason: "ambiguous_ref"
  },
  "half a character in a name": {
    schema: { properties: { "\ud800": { type: "string" } } },
    reason: "unsupported_text"
  },
  "half a character in a value": { schema: { enum: ["\udc00"] }, reason: "unsupported_text" },
  "a number that no double holds": { schema: JSON.parse("{\"maximum\":1e999}"), reason: "unsupported_number" },
  "the same number as a label": { schema: JSON.parse("{\"enum\":[-1e999]}"), reason: "unsupported_number" },
  "a step of zero": { schema: { type: "number", multipleOf: 0 }, reason: "not_json_schema" },
  "100 patterns of seven classes, up to 140 times": {
    schema: {
      properties: Object.fromEntries(
        Array.from(
          { length: 100 },
          (_, i) => [`p${i}`, { pattern: `^(\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Z}\\P{C}){1,140}${i}$` }]
        )
      )
    },
    reason: "too_complex"
  },
  "40 properties of Unicode in one pattern": {
    schema: {
      pattern:
        "Grek Latn Cyrl Armn Hebr Arab Syrc Thaa Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Thai Laoo Tibt Mymr Geor Hang Ethi Cher Cans Ogam Runr Khmr Mong Hira Kana Bopo"
          .split(" ").map((script) => `\\p{sc=${script}}`).join("").slice(0, 500)
    },
    reason: "pattern_unsupported"
  },
  "an inline flag": { schema: { pattern: "(?i:abc)" }, reason: "pattern_unsupported" },
  "an anchor of another regular expression's": { schema: { pattern: "\\Aabc\\Z" }, reason: "pattern_unsupported" },
  "a pattern of a million repeats": { schema: { pattern: "((a{100}){100}){100}" }, reason: "pattern_unsupported" },
  "a look-ahead": { schema: { type: "string", pattern: "^(?=a)b" }, reason: "pattern_unsupported" },
  "a back reference": { schema: { type: "string", pattern: "^(a)\\1$" }, reason: "pattern_unsupported" },
  "a pattern of 600 characters": { schema: { pattern: "a".repeat(600) }, reason: "pattern_unsupported" },
  "a broken pattern": { schema: { patternProperties: { "(": {} } }, reason: "pattern_unsupported" },
  "a foreign dialect": { schema: { $schema: "https://example.com/my-dialect" }, reason: "unsupported_dialect" },
  "no schema at all": { schema: "object", reason: "not_json_schema" },
  "a mistyped keyword": { schema: { properties: 5 }, reason: "not_json_schema" },
  "nothing fits: false": { schema: false, reason: "unsatisfiable" },
  "nothing fits: bounds": { schema: { type: "integer", minimum: 3, maximum: 2 }, reason: "unsatisfiable" },
  "nothing fits: endless recursion": {
    schema: {
      $defs: { n: { type: "object", required: ["n"], properties: { n: { $ref: "#/$defs/n" } } } },
      $ref: "#/$defs/n"
    },
    reason: "unsatisfiable"
  },
  "a pattern that hangs a backtracking engine": { schema: { type: "string", pattern: "^(a+)+$" }, reason: null },
  "a property called __proto__": {
    schema: JSON.parse(`{"type":"object","required":["__proto__"],"properties":{"__proto__":{"type":"string"}}}`),
    reason: null
  },
  "members called constructor, toString and a NUL": {
    schema: {
      type: "object",
      required: ["constructor", "toString", "\0"],
      properties: { constructor: { type: "string" }, "\0": { type: "string" } }
    },
    reason: null
  },
  "a generic tree": {
    schema: {
      $id: "tree",
      $dynamicAnchor: "node",
      type: "object",
      properties: { kids: { type: "array", items: { $dynamicRef: "#node" } } }
    },
    reason: null
  },
  "a tree": {
    schema: {
      $defs: { n: { type: "object", properties: { kids: { type: "array", items: { $ref: "#/$defs/n" } } } } },
      $ref: "#/$defs/n"
    },
    reason: null
  }
}
