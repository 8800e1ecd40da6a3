import { type Schema, SchemaIssue } from "effect"
import type { ErrorDetail } from "./ApiError.ts"

const issues = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    switch (issue._tag) {
      case "MissingKey":
        return "Is required"
      case "UnexpectedKey":
        return "Is not a field of this request"
      default:
        return SchemaIssue.defaultLeafHook(issue)
    }
  }
})

/** Every field that is wrong, by its path in what was sent or by its parameter's name; the first hundred of them. */
export const fieldErrors = (error: Schema.SchemaError): ReadonlyArray<ErrorDetail> =>
  issues(error.issue).issues.slice(0, 100).map(({ message, path = [] }) => ({
    path: path.map((part) => String(typeof part === "object" ? part.key : part)).join("."),
    message
  }))
