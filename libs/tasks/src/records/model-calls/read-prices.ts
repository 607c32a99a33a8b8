import type { ModelPrices } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import type { DbScope, UseCaseContext } from '@eas/db';
import { shownPrice } from './model-price.ts';
import { findPrices, findPriceTable } from './model-price.store.ts';

export type ShownPrices = { body: ModelPrices; version: number };

/** The price table as clients see it. */
export async function showPrices(scope: DbScope): Promise<ShownPrices> {
  const [{ version, updatedAt }, rows] = await Promise.all([findPriceTable(scope), findPrices(scope)]);
  const prices = Object.fromEntries(rows.map(({ model, ...price }) => [model, shownPrice(price)]));
  return { body: { prices, version, updated_at: updatedAt && formatTimestamp(updatedAt) }, version };
}

export const getModelPrices = (ctx: UseCaseContext): Promise<ShownPrices> => showPrices(ctx);
