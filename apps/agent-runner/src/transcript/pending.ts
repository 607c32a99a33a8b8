import type { NewSessionEntry } from '@eas/contracts';
import { type Mask, withTexts } from '../key/mask.ts';
import { type ToolEntry, mergeTool } from './tool-pace.ts';

/** What one call brings at most, well below what the service takes; and what waits while it cannot be sent. */
const [maxEntries, maxBatchBytes, maxPendingBytes] = [200, 160_000, 640_000];
/** Most of a text that parts are put together to. */
const maxText = 32_768;

type TextEntry = Extract<NewSessionEntry, { kind: 'text' | 'thought' }>;
const isText = (entry: NewSessionEntry | undefined): entry is TextEntry =>
  entry?.kind === 'text' || entry?.kind === 'thought';

const bytesOf = (entry: NewSessionEntry) => Buffer.byteLength(JSON.stringify(entry));

/**
 * Entries that wait to be sent, in bounded memory: parts of a message become one, and of a tool call only the latest is
 * kept. When too much waits the oldest go, and a notice says how many.
 */
export function createPending(mask: Mask) {
  let waiting: { entry: NewSessionEntry; bytes: number }[] = [];
  let [bytes, dropped] = [0, 0];

  /** `size`: of the entry in bytes, where it is known. */
  function put(entry: NewSessionEntry, at = waiting.length, size = bytesOf(entry)): void {
    bytes += size - (waiting[at]?.bytes ?? 0);
    waiting[at] = { entry, bytes: size };
  }

  function add(entry: NewSessionEntry): void {
    if (isText(entry)) addText(entry);
    else if (entry.kind === 'tool') put(...latestOf(entry));
    else put(entry);
    let gone = 0;
    for (; bytes > maxPendingBytes && gone < waiting.length - 1; gone += 1) bytes -= waiting[gone]?.bytes ?? 0;
    dropped += gone;
    if (gone > 0) waiting = waiting.slice(gone);
  }

  function addText(entry: TextEntry): void {
    const { entry: last, bytes: size = 0 } = waiting.at(-1) ?? {};
    const isSame = isText(last) && isSameMessage(last, entry);
    if (isSame && last.text.length + entry.text.length <= maxText)
      // Only the new part is searched: a message may come in thousands of parts.
      return put({ ...last, text: last.text + entry.text }, waiting.length - 1, size + bytesOf(entry));
    // Parts are masked one by one: none ends within a secret.
    const text = isSame ? takeOpenEnd(last) + entry.text : entry.text;
    const length = lengthOfPart(text);
    put({ ...entry, text: text.slice(0, length) });
    if (length < text.length) addText({ ...entry, text: text.slice(length) });
  }

  /** Takes the end of the last text that may be the beginning of a secret. */
  function takeOpenEnd(last: TextEntry): string {
    const [text, open] = mask.split(last.text);
    bytes -= waiting.pop()?.bytes ?? 0;
    if (text !== '') put({ ...last, text });
    return open;
  }

  /** A tool call with what is new of it, in place of the entry that waits. */
  function latestOf(entry: ToolEntry): [NewSessionEntry, number] {
    const at = waiting.findLastIndex(({ entry: one }) => one.kind === 'tool' && one.id === entry.id);
    return at < 0 ? [entry, waiting.length] : [mergeTool(waiting[at]?.entry as ToolEntry, entry), at];
  }

  /** What may be sent now, and its size. `isLast`: no more comes, so that no secret can be cut in two. */
  function take(isLast: boolean): { entries: NewSessionEntry[]; bytes: number } {
    let [count, size] = [0, 0];
    for (const { bytes: own } of waiting.slice(0, maxEntries)) {
      if (count > 0 && size + own > maxBatchBytes) break;
      [count, size] = [count + 1, size + own];
    }
    const taken = waiting.slice(0, count).map(({ entry }) => entry);
    waiting = waiting.slice(count);
    bytes -= size;
    if (waiting.length === 0 && !isLast) holdOpenEnd(taken);
    const lost: NewSessionEntry[] = dropped > 0 ? [{ kind: 'notice', text: `${dropped} entries were left out.` }] : [];
    dropped = 0;
    return { entries: [...lost, ...taken.map((entry) => withTexts(entry, mask.text))], bytes: size };
  }

  /** A text that ends like a secret begins waits with that end for what comes. */
  function holdOpenEnd(taken: NewSessionEntry[]): void {
    const last = taken.at(-1);
    if (!isText(last)) return;
    const [text, open] = mask.split(last.text);
    if (open === '') return;
    put({ ...last, text: open });
    taken.splice(-1, 1, ...(text === '' ? [] : [{ ...last, text }]));
  }

  return { add, take, isEmpty: () => waiting.length === 0 && dropped === 0 };
}

const isSameMessage = (a: TextEntry, b: TextEntry) => a.kind === b.kind && a.message_id === b.message_id;

/** Of the first part of a text: no character is cut in two. */
function lengthOfPart(text: string): number {
  const isCut = text.length > maxText && (text.charCodeAt(maxText - 1) & 0xfc00) === 0xd800;
  return Math.min(text.length, isCut ? maxText - 1 : maxText);
}
