/** Why embedded Postgres cannot run, in one sentence for a person. */
export class EmbeddedPostgresError extends Error {
  constructor(sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.name = 'EmbeddedPostgresError';
  }
}

/** The errno word of a file or process error ("EACCES"), or undefined. */
export function errnoOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}
