/** What the address of the list contains: whether one is being created. */
export type ProfileSearch = { new?: true };

export const readProfileSearch = (search: Record<string, unknown>): ProfileSearch =>
  search['new'] === true ? { new: true } : {};
