/**
 * The versions that an If-Match header names; undefined: it names none of its own (no header, or `*`). Only strong
 * tags of ours are versions: any other tag matches nothing, so it stays out.
 */
export function readIfMatch(header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const tags = header.matchAll(/(W\/)?"([^"]*)"/g);
  return [...tags].filter(([, weak, tag]) => !weak && /^\d{1,15}$/.test(tag as string)).map(([, , tag]) => Number(tag));
}
