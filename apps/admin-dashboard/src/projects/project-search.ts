/** What the address of the list says: archived projects alone, or the others; and that one is being created. */
export type ProjectSearch = { archived?: true; new?: true };

export const readProjectSearch = (search: Record<string, unknown>): ProjectSearch => ({
  ...(search['archived'] === true ? { archived: true } : {}),
  ...(search['new'] === true ? { new: true } : {}),
});
