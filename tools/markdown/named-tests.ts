/** A test that a page names: a link to its file, then its title in quotes, or several titles. */
export type NamedTest = { file: string; title: string };

/** All of a page, in its order. */
export function namedTestsOf(markdown: string): NamedTest[] {
  const links = markdown.matchAll(/\]\(([^)\s]+\.spec\.ts)\)((?:,? "[^"]+")*)/g);
  return [...links].flatMap(([, file = '', titles = '']) =>
    [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ file, title })),
  );
}
