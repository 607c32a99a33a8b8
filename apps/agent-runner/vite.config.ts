import { defineConfig } from 'vite';

/** The published package: one program with all dependencies except the keyring, whose binary depends on the machine. */
export default defineConfig({
  build: {
    ssr: 'src/main.ts',
    target: 'node20.12',
    outDir: 'dist',
    emptyOutDir: true,
    minify: false,
    license: { fileName: 'third-party.md' },
    rolldownOptions: {
      output: {
        entryFileNames: 'eas.js',
        chunkFileNames: '[name]-[hash].js',
        banner: '#!/usr/bin/env -S node --max-semi-space-size=2',
      },
    },
  },
  ssr: { noExternal: true, external: ['@napi-rs/keyring'] },
});
