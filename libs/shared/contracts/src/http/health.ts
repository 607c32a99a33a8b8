import { z } from 'zod';

/** Answer of /readyz: every part that must work, and what is wrong with those that do not. */
export const readinessResponse = z.object({
  status: z.enum(['ready', 'not_ready']),
  checks: z.record(z.string().max(100), z.string().max(500)),
});
export type ReadinessResponse = z.infer<typeof readinessResponse>;
