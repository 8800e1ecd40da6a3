/** What a person types after: `$ `, `# `, `% `, `>>> `, `➜ `, `ada@host:~/src$ `, `[ada@host src]$ `, `PS C:\>`, `C:\>`. */
const prompt =
  /^(?:[$%➜❯]\s?(?!\d)\w|#\s?(?:\.\/|apt|cd|ls|make|systemctl)|>>>|\(?[\w.-]*\)?\s?\[?[\w.-]+@[\w.-]+[\s:~\]]|(?:PS )?[A-Z]:\\)/u
/** What programs print: permissions of files, log levels after a time, progress in percent. */
const printed = /^(?:[d-][r-][w-][x-]|\[?\d{4}-\d\d-\d\d[T ]\d\d:|\d+ bytes from |\[\s?\d{1,3}%\])/u
/** Statements end, blocks open, names are bound or called. */
const statement =
  /[;{}]\s*$|^\s*(?:\d+\s+)?(?:def|class|import|from|const|let|var|return|if|elif|else|for|while|function|export|fn|func|pub|public|private|static|type|interface|#include|@\w+)\b.*[(){}:;=<>'"]|\w\(.*\)\s*[:;{]?\s*$|=>|[=!<>]=|\w\s=\s\S/u

/** What prose and labels have none of: ends and operators of statements, paths, options, names of several words in one, markup. */
const sign =
  /[;{}]\s*$|[=!<>]=|=>|->|::|&&|\|\||\(\)|<\/?\w+[^<>]{0,40}>|(?:^|\s)(?:--?[a-z][\w-]*|[~.]{0,2}\/\w[\w.-]*\/)|\b[a-z]+(?:_[a-z\d]+|[a-z\d][A-Z][a-z\d]+)|\w\.\w+\(|\b\w+\.(?:c|cpp|css|go|h|html|java|js|json|log|md|py|rb|rs|sh|sql|toml|ts|tsx|txt|ya?ml)\b|\bv\d+\.\d+\.\d|^\s*(?:\/\/|#(?:!|\s)|\/\*)|\w["']:\s|\(["']/u

const share = (lines: ReadonlyArray<string>, is: RegExp): number =>
  lines.filter((line) => is.test(line)).length / lines.length

const tuning = {
  /** A listing on a slide has its title besides; a terminal shows commands between what they printed. */
  prompts: 0.08,
  printed: 0.3,
  statements: 0.35,
  lines: 2,
  /** One formula does not make a listing. */
  listing_statements: 0.5,
  listing_lines: 6
} as const

/** What lines read like; `listing` where they are so many statements that there is hardly anything else. */
export interface ScreenText {
  readonly kind: "terminal" | "code" | null
  readonly listing: boolean
  /** Whether any line has what only code or a terminal has. */
  readonly signs: boolean
}

/**
 * Whether lines read like a terminal's, by prompts and by what commands print, or like program code's, by statements; null
 * where they read like neither or like both. Pure.
 */
export const screenText = (lines: ReadonlyArray<string>): ScreenText => {
  const signs = lines.some((line) => [prompt, printed, statement, sign].some((of) => of.test(line)))
  if (lines.length < tuning.lines) return { kind: null, listing: false, signs }
  const terminal = share(lines, prompt) >= tuning.prompts || share(lines, printed) >= tuning.printed
  const statements = share(lines, statement)
  const code = statements >= tuning.statements
  return {
    kind: terminal === code ? null : terminal ? "terminal" : "code",
    listing: !terminal && lines.length >= tuning.listing_lines && statements >= tuning.listing_statements,
    signs
  }
}
