// Old and new processes run on one database during a rollout, and go on writing while migrations are applied: see
// docs/operate/upgrade.md. Squawk finds statements that break or lock them; these rules cover what it does not check.

/** The comment before an intended statement: `-- contract: <since when nothing uses it>`. */
const mark = /^--\s*contract:[^\S\n]*\S{3}/im;
const rules: readonly (readonly [RegExp, string])[] = [
  [/^DROP\s+(?:VIEW|TYPE|SCHEMA|SEQUENCE)\b/i, 'drops a view, type, schema or sequence'],
  [/^ALTER\s+(?:VIEW\b[^]*|TYPE\b[^]*|TABLE\b[^]*(?=RENAME\s+CONSTRAINT\b))\bRENAME\b/i, 'renames something'],
  [/^ALTER\s+(?:TABLE|VIEW)\b[^]*\bDROP\s+DEFAULT\b/i, 'drops a default'],
];

/** Findings for old processes, statement by statement. Bodies of functions are ignored. */
export function contractSteps(sql: string): string[] {
  const statements = sql.replaceAll(/\$(\w*)\$[^]*?\$\1\$/g, "''").split(/;[^\S\n]*(?:\n|$)/);
  return statements.flatMap((statement) => {
    if (mark.test(statement)) return [];
    const text = statement.replaceAll(/--.*$/gm, '').trim();
    return rules.filter(([pattern]) => pattern.test(text)).map(([, what]) => `${what} (${text.slice(0, 100)})`);
  });
}
