import { z } from 'zod';

export const readinessResponse = z.object({
  status: z.enum(['ready', 'not_ready']),
  checks: z.record(z.string().max(100), z.string().max(500)),
  /** The other processes, where they are known: they do not decide the status. */
  peers: z.record(z.string().max(100), z.string().max(500)).optional(),
});

export const serviceIndex = z.object({
  name: z.string().max(100),
  api: z.url(),
  openapi: z.url(),
  docs: z.url(),
  admin: z.url(),
  mcp: z.url(),
  readiness: z.url(),
});
