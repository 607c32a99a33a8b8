import { isAbsolute, relative } from 'node:path';
import { normalize } from 'node:path/posix';

/** The result of a review with the paths of its findings as those of the folder that was reviewed: `src/a.ts`. */
export function withPlainPaths(result: Record<string, unknown>, folder: string): Record<string, unknown> {
  const { findings } = result;
  if (!Array.isArray(findings)) return result;
  const plain = findings.map((finding: unknown) => {
    const path = (finding as { path?: unknown } | null)?.path;
    return typeof path === 'string' ? { ...(finding as object), path: plainPath(path, folder) } : finding;
  });
  return { ...result, findings: plain };
}

/** A path that is not below the folder stays as it is. */
function plainPath(path: string, folder: string): string {
  const plain = isAbsolute(path) ? relative(folder, path) : normalize(path);
  return plain === '' || plain === '..' || plain.startsWith('../') ? path : plain;
}
