import { createPauses } from '@eas/core';
import type { PlatformEvent, PlatformHistoryItem } from '@eas/contracts';

const maxHistoryItems = 500;
const maxTagChanges = 200;
/** Values of a body, counted by what separates them. */
const maxValues = 50_000;

/** Why a body is not even parsed: reading it would keep others waiting. Undefined: it may be. */
export async function tooManyValues(text: string): Promise<string | undefined> {
  if (text.length <= maxValues || (await countSeparators(text)) <= maxValues) return undefined;
  return `too_large: more than ${maxValues.toLocaleString('en')} values`;
}

const [quote, backslash, ...separators] = Array.from('"\\,[{', (character) => character.charCodeAt(0));
const sliceLength = 65_536;

/** Counts what separates values, outside of texts. Others have the event loop in between. */
async function countSeparators(text: string): Promise<number> {
  const pause = createPauses();
  let count = 0;
  let isInText = false;
  let at = 0;
  for (let end = 0; end < text.length && count <= maxValues; await pause()) {
    end += sliceLength;
    for (; at < end && at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === quote) isInText = !isInText;
      else if (isInText) at += code === backslash ? 1 : 0;
      else if (separators.includes(code)) count += 1;
    }
  }
  return count;
}

/** Why an event is not applied: it changes more than one receipt may. Undefined: it is. */
export function tooManyChanges({ history_items: items, data }: PlatformEvent): string | undefined {
  const count = items?.length ?? 0;
  if (count > maxHistoryItems) return `too_large: ${count} history items, at most ${maxHistoryItems} are applied`;
  const tags = (items ?? []).reduce((sum, item) => sum + tagChanges(item), lengthOf(data?.['tags']));
  if (tags > maxTagChanges) return `too_large: ${tags} tag changes, at most ${maxTagChanges} are applied`;
  return undefined;
}

const tagFields: ReadonlySet<unknown> = new Set(['tag', 'tags', 'tag_removed']);

function tagChanges({ field, before, after, added, removed }: PlatformHistoryItem): number {
  if (!tagFields.has(field)) return 0;
  return [before, after, added, removed].reduce<number>((sum, tags) => sum + lengthOf(tags), 0);
}

const lengthOf = (value: unknown) => (Array.isArray(value) ? value.length : 0);
