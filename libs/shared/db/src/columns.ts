import type { PlainValue } from './transactions/tx.ts';

type ColumnType = 'text' | 'text[]' | 'int' | 'boolean' | 'timestamptz' | 'jsonb';

/** A column: its name and type in Postgres. The type parameter is the type of its values in rows. */
export type Column<T> = { readonly name: string; readonly type: ColumnType; readonly sample?: T };

export type Columns = Readonly<Record<string, Column<unknown>>>;

export type RowOf<C extends Columns> = { -readonly [F in keyof C]: C[F] extends Column<infer T> ? T : never };

type Field<C extends Columns> = keyof C & string;

export const column = <T>(name: string, type: ColumnType): Column<T> => ({ name, type });

/**
 * The parts of statements that are generated from the columns of a table. Fields are quoted in SQL, columns are not.
 */
export function sqlOf<C extends Columns>(columns: C) {
  const all = Object.keys(columns) as Field<C>[];
  const of = (field: Field<C>) => columns[field] as Column<unknown>;
  const list = (fields: readonly Field<C>[], print: (field: Field<C>) => string) => fields.map(print).join(', ');
  return {
    fields: all,
    /** `t.due_date AS "dueDate", …` of all columns, for SELECT and RETURNING. */
    select: (alias: string) => list(all, (field) => `${alias}.${of(field).name} AS "${field}"`),
    /** `"dueDate" timestamptz, …`, for json_to_recordset. */
    record: (fields: readonly Field<C>[]) => list(fields, (field) => `"${field}" ${of(field).type}`),
    /** `due_date, …`, for INSERT. */
    names: (fields: readonly Field<C>[]) => list(fields, (field) => of(field).name),
    /** `s."dueDate", …`, for INSERT from a record. */
    values: (fields: readonly Field<C>[], alias: string) => list(fields, (field) => `${alias}."${field}"`),
    /** `due_date = s."dueDate", …`, for UPDATE from a record. */
    assign: (fields: readonly Field<C>[], alias: string) =>
      list(fields, (field) => `${of(field).name} = ${alias}."${field}"`),
    pick: <F extends Field<C>>(fields: readonly F[], row: Readonly<Pick<RowOf<C>, F>>) =>
      Object.fromEntries(fields.map((field) => [field, row[field]])) as Pick<RowOf<C>, F>,
    /** `due_date = $3, …`, for UPDATE with parameters; `first` is the number of the first one. */
    assignParameters: (fields: readonly Field<C>[], first: number) =>
      fields.map((field, index) => `${of(field).name} = $${first + index}`).join(', '),
    parameters: (fields: readonly Field<C>[], row: Readonly<RowOf<C>>): PlainValue[] =>
      fields.map((field) => parameterOf(of(field).type, row[field])),
  };
}

/** pg would send a list as a Postgres array, and a text unchanged. */
function parameterOf(type: ColumnType, value: unknown): PlainValue {
  return type === 'jsonb' && value !== null ? JSON.stringify(value) : (value as PlainValue);
}
