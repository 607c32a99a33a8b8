import { AppError } from '@eas/core';

/** Characters of the header. */
export const maxIfMatchLength = 1_000;

/**
 * The versions that an If-Match header names; undefined: it names none of its own (no header, or `*`). Only strong
 * tags of ours are versions: any other tag matches nothing, so it stays out. Throws invalid_request for a longer list than the contract has.
 */
export function readIfMatch(header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  if (header.length > maxIfMatchLength)
    throw new AppError('invalid_request', { field: 'If-Match', constraint: 'max_length' });
  const tags = header.matchAll(/(W\/)?"([^"]*)"/g);
  return [...tags].filter(([, weak, tag]) => !weak && /^\d{1,15}$/.test(tag as string)).map(([, , tag]) => Number(tag));
}
