import { type BootstrapClient, redirectUriProblem } from '@eas/access';
import { z } from 'zod';

const expected =
  'JSON such as {"client_id": "…", "client_secret": "…", "redirect_uris": ["https://…"]}: no blanks and no CHANGE-ME in id and secret,' +
  ' at most 128 and 256 characters, 1 to 20 addresses with https, or http on loopback';

const visible = (maxLength: number) =>
  z
    .string()
    .regex(/^[\x21-\x7e]+$/)
    .refine((value) => !value.includes('CHANGE-ME'))
    .max(maxLength);
const redirectUri = z
  .string()
  .max(2_048)
  .refine((uri) => redirectUriProblem(uri, false) === undefined);
const client = z.strictObject({
  client_id: visible(128),
  client_secret: visible(256),
  redirect_uris: z.array(redirectUri).min(1).max(20),
});

/** The setting's type: a confidential client as JSON. */
export const bootstrapClient = () =>
  z.string().transform((text, context): BootstrapClient => {
    const parsed = client.safeParse(jsonOf(text));
    if (parsed.success) {
      const { client_id: id, client_secret: secret, redirect_uris: redirectUris } = parsed.data;
      return { id, secret, redirectUris };
    }
    context.addIssue({ code: 'custom', message: expected, input: text });
    return z.NEVER;
  });

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
