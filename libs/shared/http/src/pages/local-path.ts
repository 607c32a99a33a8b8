/** A path of this site: `//host`, `/\host` and what browsers strip before they look would lead to another. */
export const isLocalPath = (text: string): boolean => /^\/(?![/\\])[\x21-\x7e]*$/.test(text);
