import { Effect, Result, Schema } from "effect"
import { isSqlError, SqlError, UnknownError } from "effect/sql/SqlError"

/** Nobody who asks can mend a failure of the database: it becomes a defect holding the `SqlError`; other failures stay. */
export const dieOnSqlError = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, SqlError>, R> =>
  effect.pipe(
    Effect.catch((error) => isSqlError(error) ? Effect.die(error) : Effect.fail(error as Exclude<E, SqlError>))
  )

interface Reader<A> {
  readonly areRows: (rows: unknown) => rows is ReadonlyArray<A>
  readonly misfit: (row: unknown) => string | undefined
}

const readers = new WeakMap<object, Reader<any>>()

/** Compiled at the first use of a schema: statements of the engine run a thousand times a second. */
const readerOf = <A>(schema: Schema.Codec<A, any>): Reader<A> => {
  const known = readers.get(schema)
  if (known !== undefined) return known
  const decode = Schema.decodeUnknownResult(Schema.toType(schema))
  const reader: Reader<A> = {
    areRows: Schema.is(Schema.Array(schema)),
    misfit: (row) => {
      const decoded = decode(row)
      return Result.isFailure(decoded) ? decoded.failure.message.replaceAll(/\s+/gu, " ") : undefined
    }
  }
  readers.set(schema, reader)
  return reader
}

/** A row that does not fit, and why. */
export interface BrokenRow {
  readonly row: object
  readonly error: SqlError
}

/** The ids of a row, by column, which may be told in a log; nothing else of it may. */
export const idsOf = (row: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      /(?:^|_)id$/u.test(name) && typeof value === "string" ? [[name, value]] : []
    )
  )

const unreadable = (row: object, misfit: string): SqlError =>
  new SqlError({
    reason: new UnknownError({
      cause: new TypeError(misfit),
      message: `A row ${JSON.stringify(idsOf(row))} is not what it should be: ${misfit}`,
      operation: "decode"
    })
  })

/**
 * Holds what a statement answers to the schema of its rows, which go on as they are. A row that does not fit fails with
 * `SqlError`, which names the row by its ids and the column, not its value; no repetition mends it.
 */
export const rowsOf = <A>(schema: Schema.Codec<A, any>) =>
<E, R>(
  statement: Effect.Effect<ReadonlyArray<object>, E, R>
): Effect.Effect<ReadonlyArray<A>, E | SqlError, R> =>
  Effect.flatMap(statement, (rows): Effect.Effect<ReadonlyArray<A>, SqlError> => {
    const { areRows, misfit } = readerOf(schema)
    if (areRows(rows)) return Effect.succeed(rows)
    for (const row of rows) {
      const why = misfit(row)
      if (why !== undefined) return Effect.fail(unreadable(row, why))
    }
    return Effect.die(new Error("Rows that fit alone do not fit together"))
  })

/** Rows of many jobs, where one that does not fit must not hold up the others: those that fit, and of each other why not. */
export const readableRowsOf = <A>(schema: Schema.Codec<A, any>) =>
<E, R>(
  statement: Effect.Effect<ReadonlyArray<object>, E, R>
): Effect.Effect<{ readonly rows: ReadonlyArray<A>; readonly broken: ReadonlyArray<BrokenRow> }, E, R> =>
  Effect.map(statement, (rows) => {
    const { areRows, misfit } = readerOf(schema)
    const broken: Array<BrokenRow> = []
    if (areRows(rows)) return { rows, broken }
    const read: Array<A> = []
    for (const row of rows) {
      const one: ReadonlyArray<unknown> = [row]
      if (areRows(one)) read.push(...one)
      else broken.push({ row, error: unreadable(row, misfit(row) ?? "") })
    }
    return { rows: read, broken }
  })

/** As `rowsOf`, for what a tenant asks, who can mend no failure of the database: it is a defect holding the `SqlError`. */
export const tenantRowsOf = <A>(schema: Schema.Codec<A, any>) =>
<E, R>(
  statement: Effect.Effect<ReadonlyArray<object>, E, R>
): Effect.Effect<ReadonlyArray<A>, Exclude<E, SqlError>, R> => dieOnSqlError(rowsOf(schema)(statement))
