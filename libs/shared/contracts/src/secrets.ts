import { requiredText } from './fields.ts';

const refused = (message: string) => ({ params: { constraint: 'format' }, message });

/** Whitespace that a copied secret often has: the other side does not use it, and no signature matches. */
const cleanText = (maxLength: number) =>
  requiredText(maxLength)
    .refine((text) => text === text.trim(), refused('must not begin or end with white space. Copy it again'))
    .refine((text) => !/\p{Cc}/u.test(text), refused('must not contain line ends or other control characters'));

/** A secret that another system knows too: both sign with its bytes. */
export const sharedSecret = cleanText(256);

const madePrefix = 'whsec_';
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** A secret that signs what we send: receivers decode what follows `whsec_`. */
export const signingSecretInput = sharedSecret
  .refine((text) => !text.startsWith('v1,'), refused('must not begin with `v1,`. Send what follows it'))
  .refine(
    (text) => !text.startsWith(madePrefix) || (text !== madePrefix && base64.test(text.slice(madePrefix.length))),
    refused('must be base64 with its padding after `whsec_`. Send another one, or none: the service then creates one'),
  );

/** RFC 9110: visible text without a blank at either end. */
export const headerText = /^[!-~]([ -~]*[!-~])?$/;

/** Whether a request header can contain the text. */
export const isHeaderText = (text: string): boolean => headerText.test(text);

/** A credential that is sent in a header. */
export const tokenInput = cleanText(1_024).refine(
  isHeaderText,
  refused('must have only characters that a header can carry: visible ASCII'),
);
