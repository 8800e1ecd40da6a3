import { path, setting } from "../observability/Setting.ts"

/** `FOOTNOTE_DATA`: what a service keeps on the disk of its machine lies below it, unless another variable names a place. */
export const dataFolder = setting("FOOTNOTE_DATA", path, {
  otherwise: ".footnote",
  meaning: "folder for the embedded database, blobs, models and the development keys"
})

/** `BLOB_DIR`; empty where it is `<FOOTNOTE_DATA>/blobs`. */
export const blobFolder = setting("BLOB_DIR", path, {
  otherwise: "",
  without: "`<FOOTNOTE_DATA>/blobs`",
  meaning:
    "where uploads, frames and artifacts lie; every process must reach it. With `BLOB_S3_BUCKET`: local copies only, "
    + "one folder per machine. Unfinished writes lie in `.partial` below it and go after two days"
})
