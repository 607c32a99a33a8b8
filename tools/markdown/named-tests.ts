/** A test that a page names: a link to its file, then its title in quotes, or several titles. */
export type NamedTest = { file: string; title: string };

/** Table rows that name a test file without a title: nothing checks them. */
export function rowsWithoutTitle(markdown: string): string[] {
  const rows = markdown.split('\n').filter((line) => line.startsWith('|'));
  return rows.filter((row) => /\]\([^)\s]+\.spec\.ts\)(?! "[^"]+")/.test(row));
}

/** Sections, except the first one, in which no test is named. */
export function sectionsWithoutTests(markdown: string): string[] {
  const [, , ...sections] = markdown.split(/^## /m);
  return sections.filter((text) => namedTestsOf(text).length === 0);
}

/** All named tests of a page, in order. */
export function namedTestsOf(markdown: string): NamedTest[] {
  const links = markdown.matchAll(/\]\(([^)\s]+\.spec\.ts)\)((?:,? "[^"]+")*)/g);
  return [...links].flatMap(([, file = '', titles = '']) =>
    [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ file, title })),
  );
}
