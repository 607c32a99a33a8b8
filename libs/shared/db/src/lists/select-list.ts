/** Columns have the names of their fields, in snake case. */
export const columnOf = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What a Prisma `select` reads, as the columns of a list: `created_by AS "createdBy", …`. */
export const selectList = (select: Readonly<Record<string, true>>): string =>
  Object.keys(select)
    .map((field) => `${columnOf(field)} AS "${field}"`)
    .join(', ');

/** The values of rows, a list for each field: parameters of `unnest`. */
export const valuesOf = <T extends object>(rows: readonly T[], fields: readonly (keyof T)[]): T[keyof T][][] =>
  fields.map((field) => rows.map((row) => row[field]));
