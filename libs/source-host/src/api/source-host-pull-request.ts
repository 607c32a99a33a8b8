import { z } from 'zod';

const text = (maxLength: number) => z.string().max(maxLength);
const date = text(64).nullish();

/** A pull request as the API of a source host shows it: as its webhooks do. */
export const sourceHostPullRequest = z.looseObject({
  number: z.int().min(1).max(2_147_483_647),
  title: text(1_000_000),
  html_url: text(2_048),
  body: text(1_000_000).nullish(),
  user: z.looseObject({ login: text(255) }).nullish(),
  state: text(64),
  merged_at: date,
  updated_at: date,
  head: z.looseObject({ ref: text(1_024), sha: text(128).nullish() }),
  /** Missing until the source host has tried to merge it, which it does when asked. */
  mergeable: z.boolean().nullish(),
  base: z.looseObject({ repo: z.looseObject({ full_name: z.string().min(1).max(512) }) }),
});
export type SourceHostPullRequest = z.infer<typeof sourceHostPullRequest>;
