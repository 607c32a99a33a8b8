/** The maximum of IDs in one API call. */
const mostAtOnce = 100;

type Batch<Row> = { ids: Set<string>; rows: Promise<readonly Row[]> };

/** Reads rows by ID, batching the IDs that are requested at the same moment; null for an ID without a row. */
export function gatherIds<Row extends { id: string }>(readAll: (ids: readonly string[]) => Promise<readonly Row[]>) {
  let open: Batch<Row> | undefined;

  function openBatch(): Batch<Row> {
    const ids = new Set<string>();
    const rows = new Promise((resolve) => setTimeout(resolve)).then(() => {
      if (open === batch) open = undefined;
      return readAll([...ids]);
    });
    const batch = { ids, rows };
    return batch;
  }

  return async (id: string): Promise<Row | null> => {
    if (!open || open.ids.size >= mostAtOnce) open = openBatch();
    open.ids.add(id);
    return (await open.rows).find((row) => row.id === id) ?? null;
  };
}
