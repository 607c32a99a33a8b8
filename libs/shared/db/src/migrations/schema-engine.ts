import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';

type SchemaEngine = Awaited<ReturnType<typeof engineModule.SchemaEngine.new>>;

/** Node has it, but TypeScript's libraries do not declare it. */
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

let isLoaded = false;

/** The package's entry imports the .wasm file as an ES module; here it is instantiated by hand. */
async function loadEngine(): Promise<void> {
  if (isLoaded) return;
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve('@prisma/schema-engine-wasm/schema_engine_bg'));
  const bytes = await readFile(join(folder, 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, {
    './schema_engine_bg.js': { ...engineModule, ...timersThatLetExit() },
  });
  const { __wbg_set_wasm: setWasm } = engineModule as unknown as { __wbg_set_wasm: (exports: unknown) => void };
  setWasm(instance.exports);
  (instance.exports['__wbindgen_start'] as () => void)();
  isLoaded = true;
}

/** The engine's lock time-out of 10 s keeps running after the work is done: it must not keep the process alive. */
function timersThatLetExit(): Record<string, unknown> {
  const names = Object.keys(engineModule).filter((name) => name.startsWith('__wbg_setTimeout'));
  return Object.fromEntries(
    names.map((name) => [name, (callback: () => void, delayMs: number) => setTimeout(callback, delayMs).unref()]),
  );
}

/** Prisma's schema engine on a database, without any native binary, to compare schemas. */
export async function withSchemaEngine<T>(
  url: string,
  datamodels: [path: string, text: string][] | undefined,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  await loadEngine();
  const pool = new CatalogPool({ connectionString: url, max: 2 });
  try {
    const bound = bindMigrationAwareSqlAdapterFactory(new EngineAdapter(pool));
    const engine = await engineModule.SchemaEngine.new({ datamodels }, () => {}, bound);
    try {
      return await work(engine);
    } finally {
      engine.free();
    }
  } finally {
    await pool.end();
  }
}

const charType = 18;

/** The driver adapter as the schema engine needs it. The engine works sequentially, so queries do not mix. */
class EngineAdapter extends PrismaPg {
  readonly #pool: CatalogPool;

  constructor(pool: CatalogPool) {
    super(pool);
    this.#pool = pool;
  }

  override async connect() {
    const adapter = await super.connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query);
      for (const column of this.#pool.charColumns) result.columnTypes[column] = ColumnTypeEnum.Character;
      return result;
    };
    return adapter;
  }
}

/** Catalogs store kinds as Postgres' one-byte "char", a type that the driver adapter refuses: converted to text. */
class CatalogPool extends pg.Pool {
  charColumns: number[] = [];

  override query = (async (...args: unknown[]) => {
    const result = await (super.query as (...args: unknown[]) => Promise<pg.QueryResult>)(...args);
    this.charColumns = [];
    result.fields?.forEach((field, column) => {
      if (field.dataTypeID !== charType) return;
      field.dataTypeID = pg.types.builtins.TEXT;
      this.charColumns.push(column);
    });
    return result;
  }) as unknown as pg.Pool['query'];
}
