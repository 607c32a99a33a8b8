import { AppError } from '@eas/core';

/** Characters of the header. */
export const maxIfMatchLength = 1_000;

/** Tags of responses as compressing proxies change them: `W/"7"`, `"7-gzip"`, `"7;br"`. The version is the same. */
const ownTag = /^(\d{1,15})(?:[-;.]{1,2}(?:x-)?(?:gzip|gz|br|zstd|deflate))?$/;

/**
 * The versions that an If-Match header names; undefined: it names none of its own (no header, or `*`). Only tags that we
 * made are versions: any other tag matches nothing, so it stays out. Throws invalid_request for a longer list than the
 * contract has.
 */
export function readIfMatch(header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  if (header.length > maxIfMatchLength)
    throw new AppError('invalid_request', { field: 'If-Match', constraint: 'max_length' });
  const tags = header.matchAll(/(?:W\/)?"([^"]*)"/g);
  return [...tags].flatMap(([, tag = '']) => ownTag.exec(tag)?.slice(1).map(Number) ?? []);
}
