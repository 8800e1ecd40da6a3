const ending = /\.(?:mp4|m4v|mov|mkv|webm|avi|flv|ts|3gp|mp3|m4a|aac|wav|flac|ogg|opus)$/iu

/** Of the names in a folder that of the media of a stem: the stem itself with an ending of media, no longer name that begins alike. */
export const mediaNamed = (names: ReadonlyArray<string>, stem: string): string | undefined =>
  names.find((name) => ending.test(name) && name.replace(ending, "") === stem)
