import { Schema } from "effect"

const fields = { message: Schema.String }

/** No stack of this name. */
export class StackUnknown extends Schema.TaggedError<StackUnknown>()("StackUnknown", fields) {}

/** `models/lock.json` pins no revision and hash for the file, so it is neither fetched nor loaded. */
export class ModelUnlocked extends Schema.TaggedError<ModelUnlocked>()("ModelUnlocked", fields) {}

/** A file is not on this machine. */
export class ModelMissing extends Schema.TaggedError<ModelMissing>()("ModelMissing", fields) {}

/** A file is there and holds other bytes than were locked; one that came from the hub has been put aside. */
export class ModelHashMismatch extends Schema.TaggedError<ModelHashMismatch>()("ModelHashMismatch", fields) {}

/** A file is there and the system does not let it be read. That a model cannot be parsed is told by what parses it. */
export class ModelUnreadable extends Schema.TaggedError<ModelUnreadable>()("ModelUnreadable", fields) {}

/** `models/lock.json` or a stack file is not what it should be. */
export class StackFileInvalid extends Schema.TaggedError<StackFileInvalid>()("StackFileInvalid", fields) {}

/** Something would have to be fetched, and `FOOTNOTE_MODELS_OFFLINE` forbids every connection. */
export class ModelsOffline extends Schema.TaggedError<ModelsOffline>()("ModelsOffline", fields) {}

/** The hub knows no such repository, revision or file. */
export class HubFileNotFound extends Schema.TaggedError<HubFileNotFound>()("HubFileNotFound", fields) {}

/** The hub does not hand the file out, or redirects to where nothing is fetched from. Asking again does not help. */
export class HubRefused extends Schema.TaggedError<HubRefused>()("HubRefused", fields) {}

/** The hub cannot be reached, breaks off, or answers with 429 or 5xx; what has come is kept for the next try. */
export class HubUnavailable extends Schema.TaggedError<HubUnavailable>()("HubUnavailable", fields) {}

/** The hub's file has another length than the one locked: it is not the same file. */
export class HubLengthWrong extends Schema.TaggedError<HubLengthWrong>()("HubLengthWrong", fields) {}

/** No space left for a file; what has come is kept. */
export class ModelStoreFull extends Schema.TaggedError<ModelStoreFull>()("ModelStoreFull", fields) {}

/** The folder of the store cannot be written to. */
export class ModelStoreUnwritable extends Schema.TaggedError<ModelStoreUnwritable>()("ModelStoreUnwritable", fields) {}

/** What keeps bytes from coming here. */
export type DownloadError =
  | ModelsOffline
  | HubFileNotFound
  | HubRefused
  | HubUnavailable
  | HubLengthWrong
  | ModelStoreFull
  | ModelStoreUnwritable

/** What keeps a stack on this machine from being used. */
export type ResolveError =
  | StackUnknown
  | StackFileInvalid
  | ModelUnlocked
  | ModelMissing
  | ModelHashMismatch
  | ModelUnreadable

export type ModelStoreError = DownloadError | ResolveError
