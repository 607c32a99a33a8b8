import { z } from 'zod';
import type { Route } from '../route.ts';

const ignored = z.unknown().optional().meta({ readOnly: true, description: 'Accepted and ignored.' });

/** A body as its reader takes it: without unknown fields, and with those that a client may post back. */
export function documentedBody({ readOnly }: Pick<Route, 'readOnly'>, body: z.ZodType): z.ZodType {
  if (!(body instanceof z.ZodObject) || (body.def.catchall && !(body.def.catchall instanceof z.ZodNever))) return body;
  const names = readOnly.filter((name) => !(name in body.shape));
  return body.safeExtend(Object.fromEntries(names.map((name) => [name, ignored]))).strict();
}
