import { z } from 'zod';
import { CliError, exitCodes } from './cli-error.ts';
import { type Client, withQuery } from './client.ts';
import { oneLine } from './output.ts';

const found = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });

/** What can be given by id or by name: where it is listed, the form of its ids, and what people call it. */
export type Named = { path: string; id: RegExp; what: string };

/** The id of one that is given by id or by name. Throws CliError when there is none, or several have the name. */
export async function findNamed(client: Client, { path, id, what }: Named, given: string): Promise<string> {
  if (id.test(given)) return given;
  const { data } = await client.get(withQuery(path, { name: given, limit: 2 }), found);
  const [only, another] = data;
  const name = JSON.stringify(oneLine(given));
  if (another) throw new CliError(`Several ${what}s are called ${name}: use an id.`, exitCodes.conflict);
  if (only) return only.id;
  throw new CliError(`There is no ${what} ${name}.`, exitCodes.notFound);
}
