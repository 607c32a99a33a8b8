/** Maximum length of a long text for the service: a summary, a question, the text of an entry. */
export const maxText = 65_536;

/** Without characters that the service accepts in no text. */
export const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** As the service takes a text, cut to that length. */
export const cutText = (text: string, length: number = maxText): string => cleanText(text.slice(0, length));
