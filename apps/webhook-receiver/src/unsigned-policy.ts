import { z } from 'zod';
import { isLocalOrigin } from './local-origin.ts';

/** Who may send bodies without a signature: no one, anyone, or programs on this machine. */
export type UnsignedPolicy = 'false' | 'true' | 'local';

const words = new Map<string, UnsignedPolicy>(
  Object.entries({
    true: 'true',
    yes: 'true',
    '1': 'true',
    false: 'false',
    no: 'false',
    '0': 'false',
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
  return policy === 'true' || (policy === 'local' && isLocalOrigin(request));
}
