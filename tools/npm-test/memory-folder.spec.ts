import { describe, expect, it } from '@jest/globals';
import { findMemoryFolder, type Machine } from './memory-folder.ts';

const gibibyte = 1_024 ** 3;
const roomy: Machine = {
  mounts: () => 'proc /proc proc rw 0 0\ntmpfs /dev/shm tmpfs rw 0 0\n',
  freeBytes: () => 8 * gibibyte,
  freeMemory: () => 8 * gibibyte,
};

describe('the folder in memory for a run of the tests', () => {
  it('is that of the machine', () => {
    expect(findMemoryFolder(roomy)).toBe('/dev/shm');
  });

  it.each([
    ['is small, as in most containers', { freeBytes: () => gibibyte / 16 }],
    ['would leave no memory', { freeMemory: () => gibibyte }],
    ['has files that may not be executed', { mounts: () => 'shm /dev/shm tmpfs rw,noexec 0 0\n' }],
    ['is a folder on the disk', { mounts: () => '/dev/sda /dev/shm ext4 rw 0 0\n' }],
    [
      'is not there',
      {
        mounts: () => {
          throw new Error('no such file');
        },
      },
    ],
  ] as [string, Partial<Machine>][])('is not used where it %s', (_, part) => {
    expect(findMemoryFolder({ ...roomy, ...part })).toBeUndefined();
  });
});
