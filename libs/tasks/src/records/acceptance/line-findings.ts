/** What a review finds at a line of a file; without a line, in the file. */
export type LineFinding = { path: string; line?: number; body: string };

export const maxFindings = 100;

/** Maximum length of a message. */
const maxLength = 65_536;

/** Those of a result; reviews that were asked for by an earlier version may have anything under that name. */
export function lineFindingsOf(findings: unknown): LineFinding[] {
  return Array.isArray(findings) ? findings.slice(0, maxFindings).filter(isLineFinding) : [];
}

function isLineFinding(value: unknown): value is LineFinding {
  const { path, line, body } = (value ?? {}) as Record<string, unknown>;
  return typeof path === 'string' && typeof body === 'string' && (line === undefined || Number.isInteger(line));
}

/** Its location in the usual notation. */
export const placeOf = ({ path, line }: Pick<LineFinding, 'path' | 'line'>): string =>
  line === undefined ? path : `${path}:${line}`;

/** The message to the author of reviewed work: why it was decided so, and what was found at which lines. */
export function reviewText(comment: string, findings: readonly LineFinding[]): string {
  const lines = findings.map((finding) => `${placeOf(finding)}\n${finding.body}`);
  return [comment, ...lines].join('\n\n').slice(0, maxLength).toWellFormed();
}
