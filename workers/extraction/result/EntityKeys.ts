/** What two spellings of one name share: case, articles, titles, possessives and punctuation aside. Pure. */
export const entityKey = (name: string): string =>
  name.normalize("NFKC").toLowerCase()
    .replace(/[’']s\b/gu, "")
    .replace(/^(?:the|mr|mrs|ms|dr|prof|professor|sir)\.?\s+/gu, "")
    .replace(/[^\p{L}\p{N}& ]+/gu, " ")
    .replace(/\s+/gu, " ")
    .trim()
