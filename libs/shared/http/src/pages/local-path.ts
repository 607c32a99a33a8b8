/** A path of this site: `//host`, `/\host` and characters that browsers strip would lead to another site. */
export const isLocalPath = (text: string): boolean => /^\/(?![/\\])[\x21-\x7e]*$/.test(text);
