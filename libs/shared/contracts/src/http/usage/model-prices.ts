import { z } from 'zod';
import { exampleTime, requiredText, timestampOutput } from '../../fields.ts';

/** Most models of a table. */
export const maxModelPrices = 500;

/** USD with at most 6 digits behind the point: prices and limits are kept in millionths. */
const millionths = [
  (usd: number) => Math.abs(usd * 1e6 - Math.round(usd * 1e6)) < 1e-3,
  { params: { constraint: 'format' }, message: 'must have at most 6 digits after the decimal point' },
] as const;
export const usdInput = (max: number) =>
  z
    .number()
    .min(0)
    .max(max)
    .refine(...millionths);

const maxUsd = 1_000_000;
const texts = {
  input: 'USD per million input tokens that were in no cache.',
  output: 'USD per million output tokens.',
  cache_read: 'USD per million input tokens that were read from a cache.',
  cache_write: 'USD per million input tokens that were written into a cache.',
};
const priceInput = z
  .strictObject({
    input: usdInput(maxUsd).describe(texts.input),
    output: usdInput(maxUsd).describe(texts.output),
    cache_read: usdInput(maxUsd).optional().describe(`${texts.cache_read} Default: \`input\`.`),
    cache_write: usdInput(maxUsd).optional().describe(`${texts.cache_write} Default: \`input\`.`),
  })
  .meta({ id: 'ModelPriceInput', description: 'What a model costs.', example: { input: 1, output: 2 } });

const usd = z.number().min(0).max(maxUsd);
const price = z
  .object({
    input: usd.describe(texts.input),
    output: usd.describe(texts.output),
    cache_read: usd.describe(texts.cache_read),
    cache_write: usd.describe(texts.cache_write),
  })
  .meta({ id: 'ModelPrice', description: 'What a model costs.' });

export type ModelPrice = z.infer<typeof price>;

/** A name, or the beginning of names and `*`. */
const model = requiredText(200).refine((text) => !text.slice(0, -1).includes('*'), {
  params: { constraint: 'format' },
  message: 'must have * only at its end',
});
const keys = 'The names are those of models, or beginnings of names with `*` at the end.';

export const changeModelPricesBody = z
  .strictObject({
    prices: z
      .record(model, priceInput.nullable())
      .refine((prices) => Object.keys(prices).length <= maxModelPrices, {
        params: { constraint: 'max_length' },
        message: `must have at most ${maxModelPrices} models`,
      })
      .describe(`Prices by model; null removes one. Models that you leave out stay as they are. ${keys}`),
  })
  .meta({
    id: 'ChangeModelPrices',
    description: 'A JSON merge patch of the price table.',
    example: { prices: { 'example-large-*': { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 } } },
  });
export type ChangeModelPricesBody = z.output<typeof changeModelPricesBody>;

export const modelPrices = z
  .object({
    prices: z
      .record(z.string().max(200), price)
      .describe(`Prices by model. ${keys} The exact name counts first, then the longest beginning.`),
    version: z.int().min(0).max(2_147_483_647).describe('Grows with each change. It is the `ETag`.'),
    updated_at: timestampOutput.nullable().describe('When the table was last changed. null: it never was.'),
  })
  .meta({
    id: 'ModelPrices',
    description: 'The price table of a tenant. It is empty until someone enters prices.',
    example: {
      prices: { 'example-large-*': { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 } },
      version: 1,
      updated_at: exampleTime,
    },
  });
export type ModelPrices = z.infer<typeof modelPrices>;
