/** What a person is told of an error that an application's request ran into; programs read the error itself. */
const sentences: Readonly<Record<string, string>> = {
  invalid_client: "The application is not registered here, or its registration is over. "
    + "Remove this service from the application and add it again.",
  invalid_redirect_uri: "The application wants the answer at an address that it has not registered.",
  unsupported_response_type: "The application asks for a kind of answer that this service does not give.",
  unsupported_response_mode: "The application asks for a kind of answer that this service does not give.",
  invalid_scope: "The application asks for rights that do not exist here.",
  invalid_target: "The application asks for access to another service than this one."
}

/** A sentence of ours where there is one; else what the standard's error says of itself. */
export const sentenceOf = (error: string, description: string | undefined): string =>
  sentences[error] ?? `The application's request cannot be taken: ${description ?? error}.`
