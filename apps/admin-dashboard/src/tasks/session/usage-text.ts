import type { Usage } from './attempts.ts';

/** The usage of an attempt, in words. */
export const usageText = ({ tokens, cost, model }: Usage): string =>
  [model, tokens !== undefined && `${tokens.toLocaleString()} tokens`, cost && moneyText(cost)]
    .filter(Boolean)
    .join(', ');

function moneyText({ amount, currency }: NonNullable<Usage['cost']>): string {
  try {
    return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(amount);
  } catch {
    // Older entries may have any three characters.
    return `${amount.toLocaleString()} ${currency}`;
  }
}
