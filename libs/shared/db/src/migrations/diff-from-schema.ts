import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prismaFolder } from './migration-state.ts';
import { withSchemaEngine } from './schema-engine.ts';

const filters = { externalTables: [], externalEnums: [] };

/** SQL that would bring the database to prisma/schema; empty if they match. */
export async function diffFromSchema(url: string): Promise<string> {
  const files = await readSchema();
  return withSchemaEngine(
    url,
    files.map(({ path, content }) => [path, content]),
    async (engine) => {
      const { stdout } = await engine.diff({
        from: { tag: 'schemaDatasource', files, configDir: prismaFolder },
        to: { tag: 'schemaDatamodel', files },
        script: true,
        exitCode: null,
        filters,
      });
      return stdout ?? '';
    },
  );
}

async function readSchema(): Promise<{ path: string; content: string }[]> {
  const folder = join(prismaFolder, 'schema');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.prisma')).sort();
  return Promise.all(
    names.map(async (name) => ({ path: join(folder, name), content: await readFile(join(folder, name), 'utf8') })),
  );
}
