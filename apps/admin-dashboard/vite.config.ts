import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { allSections } from './src/shell/sections.ts';

/** The service that a dashboard in development uses. */
const gateway = process.env['DASHBOARD_GATEWAY'] ?? 'http://127.0.0.1:3000';
const ofGateway = ['welcome', 'assets', 'api', 'queues'];

/** Writes the paths below /admin/ that belong to the dashboard, for the gateway. */
const listSections = (): Plugin => ({
  name: 'list-sections',
  apply: 'build',
  generateBundle() {
    const source = JSON.stringify(allSections.map(({ path }) => path));
    this.emitFile({ type: 'asset', fileName: 'sections.json', source });
  },
});

const compressFiles = (): Plugin => ({
  name: 'compress-files',
  apply: 'build',
  writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle).filter((file) => /^app\/.*\.(js|css|svg)$/.test(file))) {
      const bytes = readFileSync(join(dir, name));
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      writeFileSync(join(dir, `${name}.br`), brotliCompressSync(bytes, { params }));
      writeFileSync(join(dir, `${name}.gz`), gzipSync(bytes, { level: 9 }));
    }
  },
});

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  // Built files reference each other relatively: only the gateway knows the path at which they are served.
  base: command === 'serve' ? '/admin/' : './',
  plugins: [react(), listSections(), compressFiles()],
  build: {
    assetsDir: 'app',
    target: 'es2023',
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    license: { fileName: 'licenses.md' },
  },
  css: { modules: { generateScopedName: '[name]_[local]_[hash:base64:5]' } },
  server: {
    proxy: Object.fromEntries(
      ['/v1', '/sign-in', '/sign-out', ...ofGateway.map((page) => `/admin/${page}`)].map((path) => [path, gateway]),
    ),
  },
}));
