// The diffs of docs/cookbook.md, by their section; pure, so that it can be tested.

export type Recipe = {
  title: string;
  diff: string;
  added: number;
  changed: number;
  saidAdded: number;
  saidChanged: number;
};

const FILES = /^(\d+|no) new files?, (\d+|no) edits?/im;
const count = (word = 'no'): number => (word.toLowerCase() === 'no' ? 0 : Number(word));

/** Every section with a `diff` block. Each must say `N new file(s), M edit(s)` in a line of its own. */
export function recipesOf(page: string): Recipe[] {
  const sections = page.split(/^## /m).slice(1);
  return sections.flatMap((section) => {
    const diff = [...section.matchAll(/^```diff\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text).join('');
    if (diff === '') return [];
    const title = section.slice(0, section.indexOf('\n'));
    const said = FILES.exec(section);
    if (!said) throw new Error(`${title}: no line "N new files, M edits"`);
    const added = diff.match(/^--- \/dev\/null$/gm)?.length ?? 0;
    const changed = (diff.match(/^--- /gm)?.length ?? 0) - added;
    return [{ title, diff, added, changed, saidAdded: count(said[1]), saidChanged: count(said[2]) }];
  });
}
