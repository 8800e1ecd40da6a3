/** No body is read as null, which the document need not speak of: one may be sent. */
export const withOptionalBody = (operation: Record<string, any>) => {
  const { schema } = operation["requestBody"].content["application/json"]
  return {
    ...operation,
    requestBody: { required: false, content: { "application/json": { schema: schema.anyOf[0] } } }
  }
}
