import { formatTimestamp } from '@eas/core';
import type { ListSource, SortKey } from './list-source.ts';

/** A stored timeline entry: numbered by `seq`, with the fields of its kind in `data`. */
export type StoredEntry<Kind extends string = string> = {
  seq: number;
  kind: Kind;
  at: Date;
  actor: string;
  data: Record<string, unknown>;
};

/** Ids of entries sort as their numbers do. */
const idDigits = 10;

/** A list over a table of such entries. `kindFields`: fields that only some kinds have, with their types. */
export function timelineSource(table: string, kindFields: Record<string, SortKey['type']>): ListSource {
  const ofKinds = Object.entries(kindFields).map(([field, type]): [string, SortKey] => {
    const text = `(data ->> '${field}')`;
    if (type === 'text') return [field, { sql: text, type, isNullable: true, isLong: true }];
    return [field, { sql: `${text}::${type}`, type, isNullable: true }];
  });
  return {
    from: `(SELECT *, lpad(seq::text, ${idDigits}, '0') AS id FROM ${table}) AS entries`,
    columns: 'id, seq, kind, at, actor, data',
    sortable: {
      id: { sql: 'id', type: 'text' },
      seq: { sql: 'seq', type: 'int' },
      type: { sql: 'kind', type: 'text' },
      actor: { sql: 'actor', type: 'text' },
      timestamp: { sql: 'at', type: 'timestamptz' },
      ...Object.fromEntries(ofKinds),
    },
  };
}

export function timelineItem<Item>({ seq, kind, at, actor, data }: StoredEntry): Item {
  const id = String(seq).padStart(idDigits, '0');
  return { id, seq, type: kind, timestamp: formatTimestamp(at), actor, ...data } as Item;
}
