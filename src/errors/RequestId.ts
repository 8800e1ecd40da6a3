import { Context } from "effect"

/** The id of the request that is being answered: the transport sets it, every error envelope carries it. */
export const RequestId = Context.Reference<string>("footnote/errors/RequestId", { defaultValue: () => "" })
