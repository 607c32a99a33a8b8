// What differs from run to run gets the same text in each recording, and what is long is cut.

const maxLength = 80;
/** Of lists of commands and models; modes and options of a question are fewer. */
const maxItems = 6;

/** Identifiers become numbers in the order in which they come up. */
const identifiers: readonly [RegExp, (number: number, found: string) => string][] = [
  [
    /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g,
    (number) => `00000000-0000-4000-8000-${`${number}`.padStart(12, '0')}`,
  ],
  [/\b(?:agt|msg|prt|ses|tsk)_\w{8,}/g, (number, found) => `${found.slice(0, 3)}_${number}`],
  [/call_\d+_\d+/g, (number) => `call_${number}`],
  // Times in milliseconds, also within names.
  [/(?<!\d)1[6-9]\d{11}(?!\d)/g, (number) => String(1_767_225_600_000 + number)],
];

const fixed: readonly [RegExp, string][] = [
  [/127\.0\.0\.1:\d+/g, '127.0.0.1:80'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '2026-01-01T00:00:00.000Z'],
];

/** Gives messages of one recording their stable form. `folders`: those of this machine, and what they become. */
export function stableForm(folders: readonly (readonly [string, string])[]): <T>(value: T) => T {
  const numbers = new Map<string, number>();
  const numberOf = (found: string): number => {
    const number = numbers.get(found) ?? numbers.size + 1;
    numbers.set(found, number);
    return number;
  };

  function stableText(text: string): string {
    let stable = text;
    for (const [found, name] of [...folders, ...fixed]) stable = stable.replaceAll(found, name);
    for (const [pattern, replace] of identifiers)
      stable = stable.replaceAll(pattern, (found) => replace(numberOf(found), found));
    return stable.length > maxLength ? `${stable.slice(0, maxLength)}…` : stable;
  }

  function stable(value: unknown): unknown {
    if (typeof value === 'string') return stableText(value);
    if (typeof value === 'number') return Number(stableText(String(value)));
    if (Array.isArray(value)) return value.slice(0, maxItems).map(stable);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [stableText(key), stable(field)]));
  }
  return (value) => stable(value) as typeof value;
}
