/** Most characters that the chat takes in one text, in a button's label, and blocks in a message. */
export const maxTextLength = 3_000;
const maxLabelLength = 75;
export const maxBlocks = 50;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Text as the chat shows it letter by letter: no mention, link or entity can be made with it. Cut to `max` characters. */
export function escaped(text: string, max = maxTextLength): string {
  return cut(text, max, (character) => entities[character] ?? character);
}

/** Text where the chat reads no markup, cut to `max` characters. */
export const plain = (text: string, max = maxLabelLength): string => cut(text, max, (character) => character);

/** Characters are never cut in two, nor what they are escaped to. */
function cut(text: string, max: number, write: (character: string) => string): string {
  let written = '';
  let whole = '';
  for (const character of text.toWellFormed()) {
    const next = written + write(character);
    if (next.length > max) return `${whole}…`;
    written = next;
    if (written.length < max) whole = written;
  }
  return written;
}

/** A link whose words cannot end it. `url` is one of ours. */
export const link = (url: string, text: string): string => `<${url}|${escaped(text, 500).replaceAll('|', '¦')}>`;
