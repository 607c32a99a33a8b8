import type { PlatformEvent, PlatformHistoryItem } from '@eas/contracts';

const maxHistoryItems = 500;
const maxTagChanges = 200;

/** Why an event is not applied: it changes more than one receipt may. Undefined: it is. */
export function tooManyChanges({ history_items: items, data }: PlatformEvent): string | undefined {
  const count = items?.length ?? 0;
  if (count > maxHistoryItems) return `too_large: ${count} history items, limit ${maxHistoryItems}`;
  const tags = (items ?? []).reduce((sum, item) => sum + tagChanges(item), lengthOf(data?.['tags']));
  if (tags > maxTagChanges) return `too_large: ${tags} tag changes, limit ${maxTagChanges}`;
  return undefined;
}

const tagFields: ReadonlySet<unknown> = new Set(['tag', 'tags', 'tag_removed']);

function tagChanges({ field, before, after, added, removed }: PlatformHistoryItem): number {
  if (!tagFields.has(field)) return 0;
  return [before, after, added, removed].reduce<number>((sum, tags) => sum + lengthOf(tags), 0);
}

const lengthOf = (value: unknown) => (Array.isArray(value) ? value.length : 0);
