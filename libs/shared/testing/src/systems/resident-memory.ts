import { readFileSync } from 'node:fs';

export type ResidentMemory = { now: number; peak: number };

/** Resident memory of a process without its children, in MB; 0 if /proc does not have it. */
export function residentMemory(pid: number): ResidentMemory {
  const status = statusOf(pid);
  const megabytes = (field: string) =>
    Math.round(Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1_024);
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
