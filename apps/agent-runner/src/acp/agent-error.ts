/** A failure of an agent, as a sentence; `code` is that of the protocol. */
export class AgentError extends Error {
  readonly code: number | undefined;
  constructor(message: string, code?: number) {
    super(message);
    this.code = code;
  }
}

/** The agent does not offer what its profile requires: a retry would fail too. */
export class UnfitProfileError extends AgentError {}
