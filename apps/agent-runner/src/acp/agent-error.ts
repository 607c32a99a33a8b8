/** A failure of an agent, as a sentence; `code` is that of the protocol. */
export class AgentError extends Error {
  readonly code: number | undefined;
  constructor(message: string, code?: number) {
    super(message);
    this.code = code;
  }
}

/** The agent does not offer what its profile asks for: another try would fail alike. */
export class UnfitProfileError extends AgentError {}
