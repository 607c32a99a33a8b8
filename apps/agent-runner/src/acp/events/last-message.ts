import type { Mask } from '../../key/mask.ts';

/** Maximum length of a message, in characters. */
const maxLength = 65_536;

/** The last message of an agent, joined from its parts. `onEnd`: called with each whole message. */
export function createLastMessage(join: Mask['join'], onEnd: (text: string) => void) {
  let [text, id, last]: [string, string | undefined, string] = ['', undefined, ''];

  /** What comes next is another message. */
  function end(): void {
    const whole = text.trim();
    text = '';
    if (whole === '') return;
    last = whole;
    onEnd(whole);
  }

  return {
    add(part: string, messageId: string | undefined): void {
      if (messageId !== id) end();
      id = messageId;
      text = join(text, part).slice(-maxLength);
    },
    end,
    text: () => text.trim() || last,
  };
}
