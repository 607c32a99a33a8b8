/** What the address contains: the budget or the model whose form is open ('' for a new price), or `new`. */
export type BudgetSearch = { budget?: string; price?: string; new?: true };

export const readBudgetSearch = (search: Record<string, unknown>): BudgetSearch => ({
  ...(typeof search['budget'] === 'string' ? { budget: search['budget'] } : {}),
  ...(typeof search['price'] === 'string' ? { price: search['price'] } : {}),
  ...(search['new'] === true ? { new: true } : {}),
});
