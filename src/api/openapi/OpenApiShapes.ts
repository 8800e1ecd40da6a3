type Json = Record<string, any>

const prefix = "#/components/schemas/"
const ref = (name: string) => ({ $ref: `${prefix}${name}` })

/** The names of all schemas that these lead to. */
const reachable = (schemas: Json, from: ReadonlyArray<unknown>): ReadonlySet<string> => {
  const names = new Set<string>()
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return
    for (const [key, child] of Object.entries(node)) {
      if (key !== "$ref" || typeof child !== "string") visit(child)
      else if (child.startsWith(prefix) && !names.has(child.slice(prefix.length))) {
        names.add(child.slice(prefix.length))
        visit(schemas[child.slice(prefix.length)])
      }
    }
  }
  from.forEach(visit)
  return names
}

const open = (node: unknown): void => {
  if (typeof node !== "object" || node === null) return
  const schema = node as Json
  if (schema["additionalProperties"] === false) delete schema["additionalProperties"]
  Object.values(schema).forEach(open)
}

/** A default makes a field required for generators that describe what is read, so it is told in words. */
const tellDefault = (node: unknown): void => {
  if (typeof node !== "object" || node === null) return
  const schema = node as Json
  if ("default" in schema && !("examples" in schema && schema["type"] === undefined)) {
    const told = `Default: \`${JSON.stringify(schema["default"]).replaceAll("\"", "")}\`.`
    schema["description"] = [schema["description"], told].filter((text) => text !== undefined).join(" ")
    delete schema["default"]
  }
  for (const [key, child] of Object.entries(schema)) if (key !== "examples") tellDefault(child)
}

/**
 * What is sent is closed, so that a misspelt field is refused; what is answered may grow by a field, and whoever checks it must not
 * trip over that. No schema is both.
 */
export const openAnswers = (spec: Json): void => {
  const { schemas } = spec["components"]
  const operations = Object.values<Json>(spec["paths"]).flatMap((methods) => Object.values<Json>(methods))
  const sent = operations.flatMap(({ requestBody }) => requestBody ?? [])
  const asked = reachable(schemas, sent)
  for (const [name, schema] of Object.entries(schemas)) {
    if (asked.has(name)) tellDefault(schema)
    else open(schema)
  }
  for (const { responses } of operations) open(responses)
  sent.forEach(tellDefault)
}

/** One schema for each value of `type`, which tells them apart. */
const byType = (
  schemas: Json,
  name: string,
  types: ReadonlyArray<string>,
  nameOf: (type: string) => string,
  change: (type: string) => Json
): void => {
  const { description, examples, ...whole } = schemas[name]
  const refs = types.map((type) => [type, `${prefix}${nameOf(type)}`] as const)
  for (const type of types) {
    schemas[nameOf(type)] = {
      ...whole,
      description: `\`${name}\` of type \`${type}\`.`,
      properties: {
        ...whole.properties,
        type: { type: "string", enum: [type], description: "Which kind this is." },
        ...change(type)
      }
    }
  }
  schemas[name] = {
    description,
    oneOf: refs.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: "type", mapping: Object.fromEntries(refs) },
    ...(examples === undefined ? {} : { examples })
  }
}

const capital = (word: string) => `${word[0]!.toUpperCase()}${word.slice(1)}`

/** Ties a destination's config to its `type`: a config of another type is refused by the compiler already. */
export const discriminate = (schemas: Json): void => {
  const configs = Object.keys(schemas).filter((name) => name.endsWith("Config"))
  const { description } = schemas.CreateDestination.properties.config
  schemas.UpdateDestination.properties.config = { description, oneOf: configs.map(ref) }
  byType(
    schemas,
    "CreateDestination",
    schemas.DestinationType.enum,
    (type) => `Create${capital(type)}Destination`,
    (type) => {
      const own = configs.filter((name) => name.toLowerCase().startsWith(type)).map(ref)
      return { config: { description, ...(own.length === 1 ? { allOf: own } : { oneOf: own }) } }
    }
  )
}

/** Generators take an object without members for one that has none: a JSON Schema may have any. */
export const anyObject = (node: unknown): void => {
  if (typeof node !== "object" || node === null) return
  const schema = node as Json
  const bare = schema["type"] === "object" &&
    ["properties", "additionalProperties", "oneOf"].every((key) => !(key in schema))
  if (bare) schema["additionalProperties"] = true
  for (const [key, child] of Object.entries(schema)) {
    if (key !== "examples" && key !== "example" && key !== "default") anyObject(child)
  }
}
