/** What the address of the list contains: archived projects or the others; and whether one is being created. */
export type ProjectSearch = { archived?: true; new?: true };

export const readProjectSearch = (search: Record<string, unknown>): ProjectSearch => ({
  ...(search['archived'] === true ? { archived: true } : {}),
  ...(search['new'] === true ? { new: true } : {}),
});
