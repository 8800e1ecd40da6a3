import { type Schema, SchemaIssue } from "effect"
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

/** What the value should have been, never what it is: a body may hold secrets in the wrong place. */
const leafHook: SchemaIssue.LeafHook = (issue) => {
  switch (issue._tag) {
    case "MissingKey":
      return "Is required"
    case "UnexpectedKey":
      return "Is not a field of this request"
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

const found = (error: Schema.SchemaError) =>
  issues(error.issue).issues.slice(0, 100).map(({ message, path = [] }) => ({
    path: path.map((part) => typeof part === "object" ? part.key : part),
    message: inWords(message)
  }))

/** Every field of a body that is wrong, by its JSON pointer in what was sent; the first hundred of them. */
export const fieldErrors = (error: Schema.SchemaError): ReadonlyArray<ErrorDetail> =>
  found(error).map(({ message, path }) => ({ path: jsonPointer(path), message }))

/** Longer ones are not repeated: whoever sent them can see them. */
const longestGiven = 50

/** Every parameter of a query, a path or the headers that is wrong, by its name, with what was `given` for it where that is short. */
export const parameterErrors = (
  error: Schema.SchemaError,
  given: (name: string) => ReadonlyArray<string> = () => []
): ReadonlyArray<ErrorDetail> =>
  found(error).map(({ message, path: [key = ""] }) => {
    const name = String(key)
    const [value, ...others] = given(name)
    if (others.length > 0 && message === "Expected a text") return { path: name, message: "Is given more than once" }
    const was = value !== undefined && value.length <= longestGiven ? `, was ${JSON.stringify(value)}` : ""
    return { path: name, message: message.startsWith("Expected ") ? message + was : message }
  })
