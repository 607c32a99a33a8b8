import { testServer } from './global-setup.ts';

/** Stops what the global setup started. */
export default async function tearDown(): Promise<void> {
  const server = testServer.easTestServer;
  testServer.easTestServer = undefined;
  await server?.stop();
}
