const dates = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" })

/** An instant in the reader's own time; nothing where there is none. */
export const dateOf = (instant: string | null): string => instant === null ? "" : dates.format(new Date(instant))
