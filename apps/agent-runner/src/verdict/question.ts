const listItem = /^\s*(?:[-*•]|\(?[\dA-Za-z][.)])\s/;
/** What may follow the question mark: quotes, brackets, emphasis, `(y/n)`, symbols. */
const trailing = /(?:\([^()]*\)|\[[^[\]]*\]|[\s*_`"'”’»)\]}>:]|\p{Extended_Pictographic}|\uFE0F)+$/u;
const questionMark = /[?？؟]$/;

/** Whether the last thing that a text says is a question; the options to choose from may follow it. */
export function endsWithQuestion(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const last = lines.findLast((line) => !listItem.test(line)) ?? lines.at(-1);
  return [last, lines.at(-1)].some((line) => line !== undefined && questionMark.test(line.replace(trailing, '')));
}
