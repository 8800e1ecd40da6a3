import { ApiError } from "../errors/ApiError.ts"

export class DestinationNotFound extends ApiError<DestinationNotFound>()("DESTINATION_NOT_FOUND") {}
