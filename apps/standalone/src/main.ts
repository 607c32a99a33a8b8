import { enableCompileCache } from 'node:module';
import { compileCacheFolder } from './compile-cache.ts';

// Before anything else is loaded: sources compiled once start faster and need no compiler in memory.
enableCompileCache(compileCacheFolder);
await import('./starting/standalone.ts');
