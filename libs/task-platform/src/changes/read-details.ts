import type { PlatformHistoryItem, PlatformTaskEvent } from '@eas/contracts';
import { formatTimestamp, hasMembers } from '@eas/core';
import { idText, memberOf, readDueDate, shortText } from './platform-value.ts';
import type { DetailChange } from './task-details.ts';

/** What a history item says that tasks have no field for; undefined for a field that is not known. */
export function detailsOfItem(item: PlatformHistoryItem): DetailChange[] | undefined {
  const { field, before, after } = item;
  const name = typeof field === 'string' && Object.hasOwn(readers, field) ? readers[field] : undefined;
  if (!name) return undefined;
  if (field === 'section_moved') return moved(before, after);
  if (field === 'custom_field') return customField(item);
  if (field === 'time_spent') return timeSpent(item);
  const value = valueOf(name, after);
  return value === undefined || after === undefined ? [] : [{ name, value, ...shownOf(name, before, after) }];
}

type Name = DetailChange['name'];

/** Field of a history item → what it is of the task. */
const readers: Record<string, Name> = {
  section_moved: 'list',
  subcategory: 'list',
  list: 'list',
  list_id: 'list',
  category: 'folder',
  folder: 'folder',
  folder_id: 'folder',
  project: 'space',
  space: 'space',
  space_id: 'space',
  start_date: 'start_date',
  time_estimate: 'time_estimate',
  time_spent: 'time_spent',
  custom_field: 'custom_field',
};

/** What the event itself and its data say. */
export function detailsOfBody(body: PlatformTaskEvent): DetailChange[] {
  const ids = [
    ['list', body.list_id],
    ['folder', body.folder_id],
    ['space', body.space_id],
    ['goal', body.goal_id],
    ['key_result', body.key_result_id],
  ] as const;
  const named = ids.flatMap(([name, id]) => (id ? [{ name, value: id, isQuiet: true }] : []));
  const data: Record<string, unknown> = body.data ?? {};
  const values = (['start_date', 'time_estimate', 'time_spent'] as const).flatMap((name) => {
    const value = data[name] === undefined ? undefined : valueOf(name, data[name]);
    return value === undefined ? [] : [{ name, value }];
  });
  return [...named, ...values];
}

/** The list that a change of a task is recorded in, by the platform's own history (type 1). */
export function listOfItem(item: PlatformHistoryItem): DetailChange[] {
  const { type, parent_id: parent } = item as { type?: unknown; parent_id?: unknown };
  const id = String(type) === '1' && item.field !== 'section_moved' ? idOf(parent) : undefined;
  return id === undefined ? [] : [{ name: 'list', value: id, isQuiet: true }];
}

/** A list, folder or space that an item names, to be kept as a copy. */
export type Mention = { kind: 'list' | 'folder' | 'space'; id: string; name: string };

const mentionOf = (kind: Mention['kind'], value: unknown): Mention[] => {
  const [id, name] = [idOf(value), shortText(memberOf(value, 'name'))];
  // The folder of lists without a folder is hidden, and so called.
  return id === undefined || name === undefined || memberOf(value, 'hidden') === true ? [] : [{ kind, id, name }];
};

export function mentionsOfItem({ field, after }: PlatformHistoryItem): Mention[] {
  if (field !== 'section_moved') return [];
  const [folder, space] = [memberOf(after, 'category'), memberOf(after, 'project')];
  return [...mentionOf('list', after), ...mentionOf('folder', folder), ...mentionOf('space', space)];
}

function moved(before: unknown, after: unknown): DetailChange[] {
  const list = idOf(after);
  if (list === undefined) return [];
  const folder = memberOf(after, 'category');
  const space = memberOf(after, 'project');
  const places: [Name & ('folder' | 'space'), unknown][] = [
    ['folder', memberOf(folder, 'hidden') === true ? null : folder],
    ['space', space],
  ];
  const quiet = places.flatMap(([name, value]): DetailChange[] => {
    const id = value === null ? null : idOf(value);
    return id === undefined ? [] : [{ name, value: id, isQuiet: true }];
  });
  return [{ name: 'list', value: list, ...shownOf('list', before, after) }, ...quiet];
}

/** The total counts, not the interval: of intervals that come late or twice no sum would be right. */
function timeSpent({ after, before, ...item }: PlatformHistoryItem): DetailChange[] {
  const data = (item as { data?: unknown }).data;
  const total = memberOf(data, 'total_time') ?? memberOf(data, 'rollup_time') ?? memberOf(after, 'time') ?? after;
  const value = valueOf('time_spent', total);
  return value === undefined || (after === undefined && before === undefined) ? [] : [{ name: 'time_spent', value }];
}

function customField(item: PlatformHistoryItem): DetailChange[] {
  const definition = (item as { custom_field?: unknown }).custom_field;
  const name = shortText(memberOf(definition, 'name'))?.slice(0, 200).toWellFormed();
  const id = idOf(definition) ?? name;
  if (id === undefined || item.after === undefined) return [];
  const value = textOf(item.after, memberOf(memberOf(definition, 'type_config'), 'options'));
  return [{ name: 'custom_field', value, custom: { id, name: name ?? id } }];
}

/** A value for people: an option by its name, lists joined, objects by their name or as JSON. */
function textOf(value: unknown, options: unknown): string | null {
  if (value === null) return null;
  const one = (each: unknown): string => {
    const option: unknown = Array.isArray(options)
      ? options.find((known) => memberOf(known, 'id') === each)
      : undefined;
    const named = option ?? each;
    const name = memberOf(named, 'name') ?? memberOf(named, 'username') ?? memberOf(named, 'label');
    if (typeof name === 'string') return name;
    return typeof each === 'string' ? each : JSON.stringify(each);
  };
  const text = Array.isArray(value) ? value.slice(0, 50).map(one).join(', ') : one(value);
  return shortText(text) ?? null;
}

function valueOf(name: Name, value: unknown): string | null | undefined {
  if (value === null) return null;
  switch (name) {
    case 'start_date': {
      const date = readDueDate(value);
      return date instanceof Date ? formatTimestamp(date) : undefined;
    }
    case 'time_estimate':
    case 'time_spent':
      return hoursOf(value);
    default:
      return idOf(value);
  }
}

const maxDurationMs = 100 * 365 * 24 * 3_600_000;

/** Of milliseconds as a number or digits. */
function hoursOf(value: unknown): string | undefined {
  const ms = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof ms === 'number' && ms >= 0 && ms <= maxDurationMs ? `${Math.round(ms / 36_000) / 100}h` : undefined;
}

function shownOf(name: Name, before: unknown, after: unknown): Pick<DetailChange, 'shown'> {
  if (name !== 'list' && name !== 'folder' && name !== 'space') return {};
  const nameOf = (value: unknown) => shortText(memberOf(value, 'name')) ?? null;
  return { shown: { from: nameOf(before), to: nameOf(after) } };
}

const idOf = (value: unknown) => idText(hasMembers(value) ? value['id'] : value);
