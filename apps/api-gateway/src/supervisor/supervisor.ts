import { type SupervisorCall, type SupervisorRefusal, supervisorResponse, type SupervisorResult } from '@eas/contracts';
import { AppError } from '@eas/core';

/** The process that started this one, and may start others. */
export type Supervisor = {
  /** Throws what the supervisor refuses the call for, and 503 when it does not respond. */
  call(call: SupervisorCall): Promise<SupervisorResult>;
};

/** The part of a process that has a channel to its parent. */
export type Channel = {
  connected: boolean;
  send?: ((message: object, onSent: (error: Error | null) => void) => unknown) | undefined;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'disconnect', listener: () => void): unknown;
};

/** A stop waits for the runner, which gives its tasks back. */
const limitMs = { list: 10_000, check: 25_000, start: 25_000, retry: 15_000, stop: 20_000, remove: 15_000 };

type Waiting = { resolve: (result: SupervisorResult) => void; reject: (error: AppError) => void };

export function connectSupervisor(channel: Channel, limits: Partial<typeof limitMs> = {}): Supervisor {
  const waiting = new Map<number, Waiting>();
  let calls = 0;
  channel.on('message', (message) => {
    const { success, data } = supervisorResponse.safeParse(message);
    if (!success) return;
    const one = waiting.get(data.id);
    if ('result' in data) one?.resolve(data.result);
    else one?.reject(errorOf(data.refusal));
  });
  channel.on('disconnect', () => waiting.forEach(({ reject }) => reject(unreachable())));

  return {
    async call(call) {
      if (!channel.connected || !channel.send) throw unreachable();
      const id = (calls += 1);
      const response = new Promise<SupervisorResult>((resolve, reject) => waiting.set(id, { resolve, reject }));
      const fail = () => waiting.get(id)?.reject(unreachable());
      const timer = setTimeout(fail, limits[call.call] ?? limitMs[call.call]);
      try {
        channel.send({ type: 'local_runners', id, call }, (error) => error && fail());
        return await response;
      } finally {
        clearTimeout(timer);
        waiting.delete(id);
      }
    },
  };
}

const unreachable = () =>
  new AppError('server_error', {
    status: 503,
    headers: { 'Retry-After': '5' },
    message: 'The supervisor of the service does not respond.',
  });

const errorOf = ({ code, constraint, message }: SupervisorRefusal): AppError =>
  new AppError(code, { ...(constraint === undefined ? {} : { constraint }), message });
