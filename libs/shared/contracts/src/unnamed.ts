import { z } from 'zod';

/** `metadata` of z.toJSONSchema for a standalone schema: a name would become a reference. */
export const unnamedMetadata = {
  get(schema: z.ZodType): Record<string, unknown> | undefined {
    const { id: _, base: _base, ...meta } = z.globalRegistry.get(schema) ?? {};
    return meta;
  },
} as unknown as typeof z.globalRegistry;
