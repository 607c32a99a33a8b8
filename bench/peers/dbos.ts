// Runs of DBOS Transact: a workflow of four steps that do nothing, started directly, kept in the Postgres of the bench.
import { DBOS } from '@dbos-inc/dbos-sdk';
import { doAsChild } from '../harness/child-task.ts';
import { keepInFlight } from '../runs/in-flight.ts';
import type { PeerLoad } from './run-peers.ts';

// Its driver is used in a way that the driver's next major version refuses.
process.noDeprecation = true;

const steps = ['one', 'two', 'three', 'four'];

async function fourSteps(): Promise<string> {
  for (const name of steps) await DBOS.runStep(() => Promise.resolve({ ok: true }), { name });
  return 'done';
}

doAsChild<PeerLoad>(async ({ databaseUrl, ...load }) => {
  const run = DBOS.registerWorkflow(fourSteps, { name: 'fourSteps' });
  DBOS.setConfig({ name: 'bench', systemDatabaseUrl: databaseUrl, logLevel: 'error' });
  await DBOS.launch();
  const result = await keepInFlight(load, async () => {
    const handle = await DBOS.startWorkflow(run)();
    await handle.getResult();
  });
  await DBOS.shutdown();
  return result;
});
