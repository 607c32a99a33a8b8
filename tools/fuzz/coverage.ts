import { Session } from 'node:inspector/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const own = pathToFileURL(resolve(import.meta.dirname, '../../libs')).href;

export type Coverage = {
  /** Whether what has run since the last call ran blocks of our code in a combination that is new. */
  isNew(): Promise<boolean>;
  close(): void;
};

export async function startCoverage(): Promise<Coverage> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true });
  const seen = new Set<string>();
  return {
    async isNew() {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const before = seen.size;
      for (const { url, functions } of result)
        if (url.startsWith(own))
          for (const { ranges } of functions)
            if (ranges[0]?.count)
              seen.add(`${url} ${ranges.map((range) => `${range.startOffset}:${range.count > 0}`).join()}`);
      return seen.size > before;
    },
    close: () => session.disconnect(),
  };
}
