/** One promise compared with the actual state. `wrong`: number of violations among the checked items. */
export type Finding = { what: string; of: number; wrong: number; example?: string };

export function finding(what: string, of: number, wrong: readonly string[]): Finding {
  const [example] = wrong;
  return { what, of, wrong: wrong.length, ...(example === undefined ? {} : { example }) };
}

export function doubled(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => seen.size === seen.add(name).size);
}
