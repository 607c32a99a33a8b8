import type { Page } from '@eas/contracts';

/** A list over one table or view that has tenant_id and id. All texts are SQL written by a read model, never input. */
export type ListSource = {
  /** Table, with its alias if the other texts use one. */
  from: string;
  /** Where rows are counted, if not in `from`: the same ones, with the columns that conditions are on. */
  countFrom?: string;
  /** Select list of an item; it gives `id`. */
  columns: string;
  /** Rows that the list shows at all. `tenant_id = $1` is added by itself. */
  visible?: string;
  /** Sort field → its SQL expression and type. A field that runs exactly as the ids do has the expression `id`. */
  sortable: Record<string, SortKey>;
  totals?: Totals;
};

/** An expression that may be null says so: no index gives it in order, so its page is put together of two parts. */
export type SortKey = {
  sql: string;
  type: 'text' | 'int' | 'timestamptz';
  isNullable?: boolean;
  /** All values that a text has, lowest first: they sort in this order, not by the alphabet. */
  order?: readonly string[];
  /** No two rows of a tenant have the same: nothing breaks a tie, so that one index serves where the id is of another table. */
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

/** Numbers of rows (`n`) that are kept with every write: the total is their sum when all conditions are on their columns. */
type Totals = {
  from: string;
  /** Expression that a condition is on → the expression there. */
  columns: Record<string, string>;
};

/** One condition; `sql` gets the placeholder of its value. Conditions without a value (undefined) are skipped. */
export type Condition = {
  sql: (placeholder: string) => string;
  value: unknown;
  on?: string;
  /** Part of what the list shows at all: a cursor that does not meet it is none of its items. */
  isWithin?: true;
  /** Replaces the list's own table in pages by id, and in the total, when nothing else is asked for. */
  ids?: IdIndex;
};

/** An index that gives the ids of the rows that meet a condition in their order. The list shows all its table's rows. */
export type IdIndex = {
  from: string;
  id: string;
  sql: (placeholder: string) => string;
  /** A column that the index has before the id, null in all of these rows: Postgres does not take null for one value. */
  isNull?: string;
  /** A column that runs as the ids do, when the index is one that orders by nearness (GiST). */
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

/** The list shows only rows that meet this condition; a cursor must meet it too. */
export const within = (condition: Condition): Condition => ({ ...condition, isWithin: true });
