export type Verdict = {
  expect(what: string, isMet: boolean, found?: unknown): void;
  failures: readonly string[];
  count(): number;
};

export function createVerdict(): Verdict {
  const failures: string[] = [];
  let count = 0;
  return {
    expect(what, isMet, found) {
      count += 1;
      if (!isMet) failures.push(found === undefined ? what : `${what}; found ${JSON.stringify(found)}`);
    },
    failures,
    count: () => count,
  };
}
