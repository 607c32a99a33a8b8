// What tools/words/check-spelling.ts must find: a comment (recieve), a text, a name, and the other spelling of a word (behavior).
export const text = 'It is kept seperate.';
export const lenght = text.length;
