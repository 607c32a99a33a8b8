export type ListPage<Row> = { data: readonly Row[]; pagination: { next_cursor: string | null } };

/** `isAll`: false if there are more rows than were read. */
export type Listed<Row> = { data: readonly Row[]; isAll: boolean };

/** Rows beyond the limit are found by name or ID, and are shown by their ID. */
export const maxReadOn = 10;

/** The rows of a list, page by page, up to 10 pages; '' is the first cursor. */
export async function readOn<Row>(read: (after: string) => Promise<ListPage<Row>>): Promise<Listed<Row>> {
  const rows: Row[] = [];
  let cursor: string | null = '';
  for (let count = 0; cursor !== null && count < maxReadOn; count += 1) {
    const page: ListPage<Row> = await read(cursor);
    rows.push(...page.data);
    cursor = page.pagination.next_cursor;
  }
  return { data: rows, isAll: cursor === null };
}

const pageSize = 100;

/** The same for a list without a cursor: `read` gets the offset, and returns up to 100 rows. */
export const readOnByOffset = <Row>(read: (offset: number, limit: number) => Promise<{ data: readonly Row[] }>) =>
  readOn<Row>(async (after) => {
    const offset = Number(after);
    const { data } = await read(offset, pageSize);
    return { data, pagination: { next_cursor: data.length < pageSize ? null : String(offset + pageSize) } };
  });
