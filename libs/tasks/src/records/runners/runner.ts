import type { RunnerResource, runnerPresences } from '@eas/contracts';
import { AppError, formatTimestamp } from '@eas/core';

export type Runner = {
  id: string;
  agentId: string;
  instance: string;
  host: string;
  os: string | null;
  version: string;
  preset: string | null;
  presetTitle: string | null;
  agentVersion: string | null;
  concurrency: number;
  pid: number | null;
  running: number;
  isDraining: boolean;
  createdAt: Date;
  lastSeenAt: Date;
  presence: (typeof runnerPresences)[number];
};

export function toRunnerResource(runner: Runner): RunnerResource {
  const { agentId, presetTitle, agentVersion, isDraining, createdAt, lastSeenAt, ...same } = runner;
  return {
    ...same,
    agent_id: agentId,
    preset_title: presetTitle,
    agent_version: agentVersion,
    draining: isDraining,
    created_at: formatTimestamp(createdAt),
    last_seen_at: formatTimestamp(lastSeenAt),
  };
}

export const noSuchRunner = (): AppError => new AppError('not_found', { message: 'The runner does not exist.' });
