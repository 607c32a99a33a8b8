import { isLocalPath } from '@eas/http';

/** Where a person goes after signing in: the path of this site that was asked for, else the start page. */
export const safeReturnTo = (text: string | undefined): string =>
  text !== undefined && isLocalPath(text) ? text : '/admin';
