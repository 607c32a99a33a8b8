import { type PlatformEvent, platformIdField } from '@eas/contracts';
import { undatedCreation } from './task-change.ts';
import { newestDate, readMillis } from './platform-value.ts';

export type ObjectCopy<D = Record<string, unknown>> = {
  data: D;
  /** Field → date of its change, in Unix milliseconds; fields of older copies are as old as the copy. */
  fieldDates: Record<string, number>;
  updatedAt: Date;
  /** When the platform deleted it; null or left out: it is there. */
  deletedAt?: Date | null;
};

/** Fields that an event reports, each with its date, in the order in which they count. */
export type ReportedObject = { name: string; value: unknown; at: number }[];

const idFields = Object.values(platformIdField);
const lifeField = 'is_deleted';

/** Reads an event of an object: its ids and data, then its history, and whether the object lives. */
export function readReportedObject(body: PlatformEvent, receivedAt: Date): ReportedObject {
  const received = receivedAt.getTime();
  const items = body.history_items ?? [];
  const datedAt = newestDate(items);
  const undated = body.event.endsWith('Created') ? undatedCreation : received;
  const at = datedAt ?? undated;
  const ids = idFields.flatMap((name) => (body[name] ? [{ name, value: body[name] as unknown, at }] : []));
  const data = Object.entries(body.data ?? {}).map(([name, value]) => ({ name, value, at }));
  const history = items.flatMap(({ field, after, date }) =>
    typeof field === 'string' && after !== undefined
      ? [{ name: field, value: after, at: readMillis(date) ?? received }]
      : [],
  );
  const isDeleted = body.event.endsWith('Deleted');
  // What has no date cannot be shown to be newer than a deletion.
  const life = { name: lifeField, value: isDeleted, at: datedAt ?? (isDeleted ? received : undatedCreation) };
  const reported = [...ids, ...data, ...history.sort((a, b) => a.at - b.at)].filter(({ name }) => name !== lifeField);
  return [...reported, life];
}

const maxFields = 500;
const maxCopyLength = 65_536;

/** A copy with the reported fields; those that it has newer stay. `tooLarge`: why it would not be kept. */
export function mergeObject(
  known: ObjectCopy | undefined,
  reported: ReportedObject,
): { copy: ObjectCopy; isChanged: boolean; tooLarge: string | undefined } {
  const data = new Map(Object.entries(known?.data ?? {}));
  const dates = new Map(Object.entries(known?.fieldDates ?? {}));
  const dateOf = (name: string) => dates.get(name) ?? (data.has(name) ? (known?.updatedAt.getTime() ?? -1) : -1);
  let newest = known?.updatedAt.getTime() ?? 0;
  let isChanged = false;
  for (const { name, value, at } of reported) {
    const isOlder = at < dateOf(name) || (name === lifeField && value === false && at === dateOf(name));
    if (isOlder) continue;
    isChanged ||= data.get(name) !== value;
    data.set(name, value);
    dates.set(name, at);
    newest = Math.max(newest, at);
  }
  const copy = {
    data: Object.fromEntries(data),
    fieldDates: Object.fromEntries(dates),
    updatedAt: new Date(newest),
    deletedAt: data.get(lifeField) === true ? new Date(dateOf(lifeField)) : null,
  };
  return { copy, isChanged, tooLarge: tooLargeCopy(copy) };
}

function tooLargeCopy({ data }: ObjectCopy): string | undefined {
  const fields = Object.keys(data).length;
  if (fields > maxFields) return `too_large: a copy of ${fields} fields, limit ${maxFields}`;
  const { length } = JSON.stringify(data);
  return length > maxCopyLength ? `too_large: a copy of ${length} characters, limit ${maxCopyLength}` : undefined;
}
