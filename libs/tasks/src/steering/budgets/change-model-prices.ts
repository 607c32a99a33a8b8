import { type ChangeModelPricesBody, maxModelPrices } from '@eas/contracts';
import { AppError, assertVersion } from '@eas/core';
import { lockName, type UseCaseContext } from '@eas/db';
import { keptPrice } from '../../records/model-calls/model-price.ts';
import { findPriceTable, savePrices } from '../../records/model-calls/model-price.store.ts';
import { showPrices, type ShownPrices } from '../../records/model-calls/read-prices.ts';

type Patch = { ifMatch?: readonly number[] | undefined; body: ChangeModelPricesBody };

/** A JSON merge patch of the price table. Throws 412, and conflict `limit` when it has too many models then. */
export function changeModelPrices(
  ctx: UseCaseContext,
  { ifMatch, body: { prices } }: Patch,
): Promise<ShownPrices & { isChanged: boolean }> {
  return ctx.inTransaction(async (tx) => {
    await lockName(tx, 'model prices');
    const { version } = await findPriceTable(tx);
    assertVersion(version, ifMatch);
    const before = await showPrices(tx);
    const given = Object.entries(prices);
    const removed = given.flatMap(([model, price]) => (price === null ? model : []));
    const set = given.flatMap(([model, price]) => (price === null ? [] : { model, ...keptPrice(price) }));
    if (set.length + removed.length === 0) return { ...before, isChanged: false };
    await savePrices(tx, { version: version + 1, updatedAt: ctx.clock.now() }, { removed, set });
    const after = await showPrices(tx);
    if (Object.keys(after.body.prices).length > maxModelPrices) throw tooMany();
    return { ...after, isChanged: true };
  });
}

function tooMany(): AppError {
  const message = `The price table can have at most ${maxModelPrices} models. Remove some, or use beginnings with *.`;
  return new AppError('conflict', { field: 'prices', constraint: 'limit', message });
}
