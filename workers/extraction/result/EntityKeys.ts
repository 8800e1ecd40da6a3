/** What two spellings of one name share: case, articles, titles, possessives and punctuation aside; "C++" and "C#" keep their signs. Pure. */
export const entityKey = (name: string): string =>
  name.normalize("NFKC").toLowerCase()
    .replace(/[’']s\b/gu, "")
    .replace(/^(?:the|mr|mrs|ms|dr|prof|professor|sir)\.?\s+/gu, "")
    .replace(/(?<=\p{L})(\+{1,2}|#)(?![\p{L}\p{N}+#])|[^\p{L}\p{N}& ]/gu, (_, sign?: string) => sign ?? " ")
    .replace(/\s+/gu, " ")
    .trim()
