/** Columns have the names of their fields, in snake case. */
export const columnOf = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What a Prisma `select` reads, as the columns of a list: `created_by AS "createdBy", …`. */
export const selectList = (select: Readonly<Record<string, true>>): string =>
  Object.keys(select)
    .map((field) => `${columnOf(field)} AS "${field}"`)
    .join(', ');
