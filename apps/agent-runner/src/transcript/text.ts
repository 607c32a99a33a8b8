/** Most that the service takes of the text of an entry. */
export const maxText = 65_536;

/** As the service takes a text, cut to that length. */
export const cut = (text: string, length: number = maxText): string =>
  text.slice(0, length).replaceAll('\0', '').toWellFormed();
