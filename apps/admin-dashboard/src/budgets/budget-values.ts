import type { Schemas } from '../api/client.ts';
import { amountText, type Budget, figure } from '../resources/usage/usage-words.ts';
import { textIn } from '../resources/edit/text-in.ts';

export type Prices = Schemas['ModelPrices'];
type CreateBudget = Schemas['CreateBudget'];

export const scopes: Readonly<Record<CreateBudget['scope'], string>> = {
  tenant: 'All agents together',
  project: 'A project',
  role: 'A role',
  agent: 'An agent',
  task: 'Each task by itself',
};

/** What a form for a new budget begins with, by its fields. */
export const newBudget = {
  scope: 'tenant',
  scope_id: '',
  unit: 'usd',
  period: 'day',
  limit: '',
  warn_at_percent: '80',
} as const;

/** The fields of a budget that can be changed. */
export const budgetLabels = { limit: 'Limit', warn_at_percent: 'Warn at percent' };

export const textsOfBudget = ({ limit, warn_at_percent: warn }: Pick<Budget, keyof typeof budgetLabels>) => ({
  limit: String(limit),
  warn_at_percent: String(warn),
});

const numberIn = (form: FormData, name: string): number => Number(textIn(form, name));

export const changeIn = (form: FormData) => ({
  limit: numberIn(form, 'limit'),
  warn_at_percent: numberIn(form, 'warn_at_percent'),
});

export const budgetIn = (form: FormData): CreateBudget => ({
  scope: textIn(form, 'scope') as CreateBudget['scope'],
  scope_id: textIn(form, 'scope_id') || null,
  unit: textIn(form, 'unit') as CreateBudget['unit'],
  period: textIn(form, 'period') as CreateBudget['period'],
  ...changeIn(form),
});

/** `4.2 of 20 USD`; nothing for a budget that counts each task separately. */
export const usedText = ({ unit, limit, current }: Budget): string =>
  current ? `${figure(current.spent)} of ${amountText(unit, limit)}` : '';

export const priceLabels = {
  input: 'Input',
  output: 'Output',
  cache_read: 'Read from a cache',
  cache_write: 'Written into a cache',
};
type PriceName = keyof typeof priceLabels;
export const priceNames = Object.keys(priceLabels) as PriceName[];

/** The price of a model as its form shows it; empty where it has none. */
export function textsOfPrice({ prices }: Prices, model: string): Record<PriceName, string> {
  const price = prices[model];
  const text = (name: PriceName) => (price ? String(price[name]) : '');
  return {
    input: text('input'),
    output: text('output'),
    cache_read: text('cache_read'),
    cache_write: text('cache_write'),
  };
}

/** Empty cache prices get the default of the service: the price of the input. */
export const priceIn = (form: FormData): Schemas['ModelPriceInput'] => ({
  input: numberIn(form, 'input'),
  output: numberIn(form, 'output'),
  ...(textIn(form, 'cache_read') === '' ? {} : { cache_read: numberIn(form, 'cache_read') }),
  ...(textIn(form, 'cache_write') === '' ? {} : { cache_write: numberIn(form, 'cache_write') }),
});

export const modelIn = (form: FormData): string => textIn(form, 'model');
