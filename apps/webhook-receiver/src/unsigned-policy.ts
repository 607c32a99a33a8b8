import { z } from 'zod';
import { isLocalOrigin } from './local-origin.ts';

/** Who may send bodies without a signature: nobody, anybody, or whoever is on this machine. */
export type UnsignedPolicy = 'never' | 'always' | 'local';

const words = new Map<string, UnsignedPolicy>(
  Object.entries({
    true: 'always',
    yes: 'always',
    '1': 'always',
    false: 'never',
    no: 'never',
    '0': 'never',
    local: 'local',
  }),
);

/** The text of RECEIVER_ALLOW_UNSIGNED. */
export const unsignedPolicy = z.string().transform((text, ctx): UnsignedPolicy => {
  const policy = words.get(text.toLowerCase());
  if (policy) return policy;
  ctx.addIssue({ code: 'custom', message: 'true, false or local' });
  return z.NEVER;
});

export function takesUnsigned(policy: UnsignedPolicy, request: Parameters<typeof isLocalOrigin>[0]): boolean {
  return policy === 'always' || (policy === 'local' && isLocalOrigin(request));
}
