/** Most that the service takes of a long text: a summary, a question, the text of an entry. */
export const maxText = 65_536;

/** Without what the service takes in no text. */
export const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** As the service takes a text, cut to that length. */
export const cutText = (text: string, length: number = maxText): string => cleanText(text.slice(0, length));
