import { EmbeddedPostgresError } from '@eas/db/embedded-postgres';
import { runProcess } from '@eas/runtime';
import { bringUp } from './bring-up.ts';
import { loadConfig } from '../config.ts';
import { createTerminalLogger } from '../terminal.ts';
import { watchSources } from '../supervision/watch-sources.ts';

await runProcess({
  name: 'standalone',
  loadConfig,
  openLogger: () => createTerminalLogger((error) => error instanceof EmbeddedPostgresError),
  start: async (parts) => {
    const kept = await bringUp(parts);
    if (process.argv.includes('--watch')) parts.onShutdown('watching', watchSources(parts.config.root, kept));
  },
});
