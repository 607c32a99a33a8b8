import type { Page } from '@eas/contracts';

/** A list over one table or view that has tenant_id and id. All texts are SQL written by a read model, never input. */
export type ListSource = {
  /** Table, with its alias if the other texts use one. */
  from: string;
  /** Where rows are counted, if not in `from`: the same rows, with the columns of the conditions. */
  countFrom?: string;
  /** Select list of an item, including `id`. */
  columns: string;
  /** Rows that the list shows at all. `tenant_id = $1` is added by itself. */
  visible?: string;
  /** Sort field → its SQL expression and type. A field with exactly the order of the ids has the expression `id`. */
  sortable: Record<string, SortKey>;
  totals?: Totals;
};

/** Expressions that may be null are marked: no index has them in this order, so the page is composed of two parts. */
export type SortKey = {
  sql: string;
  type: 'text' | 'int' | 'bigint' | 'timestamptz';
  isNullable?: boolean;
  /** All values that a text has, lowest first: they sort in this order, not by the alphabet. */
  order?: readonly string[];
  /** Unique per tenant: no tie-breaker is needed, so that one index is enough even if the id is in another table. */
  isUnique?: boolean;
  /** A text that may be longer than cursors carry sorts by its beginning. */
  isLong?: boolean;
};

/** Characters of a text that cursors carry. Texts that are not `isLong` are never longer. */
const maxSortedLength = 500;

/** The key that the page is sorted by. A field that the list does not have is a programming error. */
export function sortKeyOf({ from, sortable }: ListSource, { sort: { field } }: Page): SortKey {
  const key = sortable[field];
  if (!key) throw new Error(`${from} cannot be sorted by ${field}`);
  return key.isLong ? { ...key, sql: `left(${key.sql}, ${maxSortedLength})` } : key;
}

/** Numbers of rows (`n`) that every write updates: the total is their sum when all conditions are on their columns. */
type Totals = {
  from: string;
  /** Expression of a condition → the expression in this table. */
  columns: Record<string, string>;
};

/** One condition; `sql` gets the placeholder of its value. Conditions without a value (undefined) are skipped. */
export type Condition = {
  sql: (placeholder: string) => string;
  value: unknown;
  on?: string;
  /** Part of what the list shows at all: a cursor that does not match it is invalid. */
  isWithin?: true;
  /** Replaces the list's own table in pages by id, and in the total, if it is the only condition. */
  ids?: IdIndex;
};

/** An index that has the ids of the matching rows in order. The list shows all its table's rows. */
export type IdIndex = {
  from: string;
  id: string;
  sql: (placeholder: string) => string;
  /**
   * A column that the index has before the id, null in all of these rows: Postgres does not treat null as a single
   * value.
   */
  isNull?: string;
  /** A column with the order of the ids, if the index orders by distance (GiST). */
  nearest?: string;
};

export const equals = (expression: string, value: unknown): Condition => ({
  sql: (placeholder) => `${expression} = ${placeholder}`,
  value,
  on: expression,
});

/** Equality of each field of a filter, with what the list sorts it by, or with the column of that name. */
export const equalFields = ({ sortable }: ListSource, filter: Record<string, unknown>): Condition[] =>
  Object.entries(filter).map(([field, value]) => equals(sortable[field]?.sql ?? field, value));

/** The list shows only rows that match this condition; a cursor must match it too. */
export const within = (condition: Condition): Condition => ({ ...condition, isWithin: true });
