import { requiredText } from '../../fields.ts';

const slugRule = /^[a-z0-9]+(-[a-z0-9]+)*$/;
/** A name that is also that of a folder or a part of names of tools. */
export const slug = (maxLength: number) =>
  requiredText(maxLength).regex(slugRule, { message: 'must be lower-case letters and digits, with single hyphens' });
