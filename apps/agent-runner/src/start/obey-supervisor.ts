/**
 * A program that started this one with an IPC channel may end it by a message, and is notified when the work begins. The
 * runner ends together with that program.
 */
export function obeySupervisor(stop: (reason: string) => void): { reportReady(): void } {
  if (!process.connected) return { reportReady() {} };
  process.on('message', (message) => {
    if ((message as { type?: unknown } | null)?.type === 'shutdown') stop('supervisor');
  });
  process.on('disconnect', () => stop('supervisor lost'));
  // The channel alone must not keep the process alive.
  process.channel?.unref();
  return { reportReady: () => void process.send?.({ type: 'ready' }) };
}
