/** What a review finds at a line of a file; without a line, in the file. */
export type LineFinding = { path: string; line?: number; body: string };

export const maxFindings = 100;

/** As long as a message may be. */
const maxLength = 65_536;

/** What the author of reviewed work is told: why it was decided so, and what was found at which lines. */
export function reviewText(comment: string, findings: readonly LineFinding[]): string {
  const lines = findings.map(({ path, line, body }) => `${path}${line === undefined ? '' : `:${line}`}\n${body}`);
  return [comment, ...lines].join('\n\n').slice(0, maxLength).toWellFormed();
}
