import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Bytes below each path, as the disk counts them. */
export async function sizesOf(paths: readonly string[]): Promise<Map<string, number>> {
  if (paths.length === 0) return new Map();
  const counted = await promisify(execFile)('du', ['-sk', '--', ...paths], { maxBuffer: 64 * 1024 * 1024 }).catch(
    // Files that vanish in the meantime or cannot be read are left out.
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }),
  );
  return new Map(
    counted.stdout.split('\n').flatMap((line) => {
      const [kibibytes = '', path = ''] = line.split('\t');
      return path === '' ? [] : [[path, Number(kibibytes) * 1024]];
    }),
  );
}
