import { type Named, namedList, onlyOf, pathByName } from '../api/named.ts';
import { CliError, exitCodes } from './cli-error.ts';
import type { Client } from './client.ts';
import { oneLine } from './output.ts';

/** The ID of one that is given by ID or by name. Throws CliError when there is none, or several have the name. */
export async function findNamed(client: Client, named: Named, given: string): Promise<string> {
  if (named.id.test(given)) return given;
  const found = onlyOf(named, oneLine(given), await client.get(pathByName(named, given), namedList));
  if (found.kind === 'one') return found.id;
  throw new CliError(found.problem, found.kind === 'none' ? exitCodes.notFound : exitCodes.conflict);
}
