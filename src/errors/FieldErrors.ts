import { type Schema, SchemaAST, SchemaIssue } from "effect"
import type { ErrorDetail } from "./ApiError.ts"
import { jsonPointer } from "./JsonPointer.ts"

const ofType: Readonly<Record<string, string>> = {
  String: "a text",
  Number: "a number",
  Boolean: "true or false",
  Arrays: "an array",
  Objects: "an object",
  Null: "null"
}

/** Of a member of a body that its route does not have. */
export const unexpectedMember = "Is not a field of this request"

/** What the value should have been, never what it is: a body may hold secrets in the wrong place. */
const leafHook: SchemaIssue.LeafHook = (issue) => {
  switch (issue._tag) {
    case "MissingKey":
      return "Is required"
    case "UnexpectedKey":
      return unexpectedMember
    case "InvalidType": {
      const own = issue.ast.annotations?.["message"]
      const expected = ofType[issue.ast._tag]
      return typeof own !== "string" && expected !== undefined
        ? `Expected ${expected}`
        : SchemaIssue.defaultLeafHook(issue)
    }
    default:
      return SchemaIssue.defaultLeafHook(issue)
  }
}

const issues = SchemaIssue.makeFormatterStandardSchemaV1({ leafHook })

/** The library writes alternatives as TypeScript would: `"a" | "b" | "c"`. */
const inWords = (message: string): string => {
  if (message === "Expected a string representing a finite number") return "Expected a number"
  if (message === "Expected object" || message === "Expected array") return message.replace(" ", " an ")
  const values = /^Expected ("[^"]*"(?: \| "[^"]*")*)$/u.exec(message)?.[1]
  return values === undefined ? message : `Expected ${listed(values.split(" | ").map((value) => value.slice(1, -1)))}`
}

/** `a, b or c`. */
export const listed = (values: ReadonlyArray<string>): string =>
  values.length < 2 ? values.join("") : `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`

/** All that a union takes, each once; undefined where one of it has no name of the contract's. */
const alternatives = (ast: SchemaAST.AST): ReadonlyArray<string> | undefined => {
  if (SchemaAST.isLiteral(ast)) return [String(ast.literal)]
  if (!SchemaAST.isUnion(ast)) return ofType[ast._tag] === undefined ? undefined : [ofType[ast._tag]!]
  const each = ast.types.map(alternatives)
  return each.includes(undefined) ? undefined : [...new Set(each.flatMap((names) => names ?? []))]
}

/** What the formatter says where nothing of a union fits, which may be a name of ours, and what is meant by it. */
const unionMessages = (
  issue: SchemaIssue.Issue,
  messages = new Map<string, string>()
): ReadonlyMap<string, string> => {
  if ("issue" in issue) return unionMessages(issue.issue, messages)
  if (issue._tag === "Composite" || issue._tag === "AnyOf") {
    for (const inner of issue.issues) unionMessages(inner, messages)
  }
  if (issue._tag === "AnyOf" && issue.issues.length === 0) {
    const names = alternatives(issue.ast)
    if (names !== undefined) {
      messages.set(SchemaIssue.defaultLeafHook(new SchemaIssue.InvalidType(issue.ast)), `Expected ${listed(names)}`)
    }
  }
  return messages
}

const found = (error: Schema.SchemaError) => {
  const unions = unionMessages(error.issue)
  return issues(error.issue).issues.slice(0, 100).map(({ message, path = [] }) => ({
    path: path.map((part) => typeof part === "object" ? part.key : part),
    message: unions.get(message) ?? inWords(message)
  }))
}

/** Every field of a body that is wrong, by its JSON pointer in what was sent; the first hundred of them. */
export const fieldErrors = (error: Schema.SchemaError): ReadonlyArray<ErrorDetail> =>
  found(error).map(({ message, path }) => ({ path: jsonPointer(path), message }))

/** Longer ones are not repeated: whoever sent them can see them. */
const longestGiven = 50

/**
 * Every parameter of a query, a path or the headers that is wrong, by its name, with what was `given` for it where that is short:
 * of a list the very value that is wrong.
 */
export const parameterErrors = (
  error: Schema.SchemaError,
  given: (name: string) => ReadonlyArray<string> = () => []
): ReadonlyArray<ErrorDetail> =>
  found(error).map(({ message, path: [key = "", place] }) => {
    const name = String(key)
    const values = given(name)
    const expected = message.startsWith("Expected ")
    if (place === undefined && values.length > 1 && expected) return { path: name, message: "Is given more than once" }
    // Several values of a parameter that is a list stand in one with commas, or in several.
    const value = typeof place === "number" ? values.join(",").split(",")[place] : values[0]
    const was = value !== undefined && value.length <= longestGiven ? `, was ${JSON.stringify(value)}` : ""
    return { path: name, message: expected ? message + was : message }
  })
