// Old and new processes run on one database while a version is rolled out, and go on writing while its migrations are applied:
// see docs/operate/upgrade.md. Squawk finds what would break or lock them; the rules here are for what it does not look at.

/** What stands before a statement on purpose: `-- contract: <since when nothing uses it>`. */
const mark = /^--\s*contract:[^\S\n]*\S{3}/im;
const rules: readonly (readonly [RegExp, string])[] = [
  [/^DROP\s+(?:VIEW|TYPE|SCHEMA|SEQUENCE)\b/i, 'drops a view, type, schema or sequence'],
  [/^ALTER\s+(?:VIEW\b[^]*|TYPE\b[^]*|TABLE\b[^]*(?=RENAME\s+CONSTRAINT\b))\bRENAME\b/i, 'renames something'],
  [/^ALTER\s+(?:TABLE|VIEW)\b[^]*\bDROP\s+DEFAULT\b/i, 'drops a default'],
];

/** What old processes could not go on with, statement by statement. Bodies of functions change nothing when they are made. */
export function contractSteps(sql: string): string[] {
  const statements = sql.replaceAll(/\$(\w*)\$[^]*?\$\1\$/g, "''").split(/;[^\S\n]*(?:\n|$)/);
  return statements.flatMap((statement) => {
    if (mark.test(statement)) return [];
    const text = statement.replaceAll(/--.*$/gm, '').trim();
    return rules.filter(([pattern]) => pattern.test(text)).map(([, what]) => `${what} (${text.slice(0, 100)})`);
  });
}
