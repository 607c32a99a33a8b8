/** What the address says: the budget or the model whose price is changed, '' for a new price, or that a budget is created. */
export type BudgetSearch = { budget?: string; price?: string; new?: true };

export const readBudgetSearch = (search: Record<string, unknown>): BudgetSearch => ({
  ...(typeof search['budget'] === 'string' ? { budget: search['budget'] } : {}),
  ...(typeof search['price'] === 'string' ? { price: search['price'] } : {}),
  ...(search['new'] === true ? { new: true } : {}),
});
