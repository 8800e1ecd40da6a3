import { ApiError } from "../errors/ApiError.ts"

export class RangeNotSatisfiable extends ApiError<RangeNotSatisfiable>()("RANGE_NOT_SATISFIABLE") {}
