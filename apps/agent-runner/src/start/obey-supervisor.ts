/**
 * A program that started this one with a channel may end it by a message, which no key of a terminal sends as well, and
 * hears when the work begins. Without that program the runner ends.
 */
export function obeySupervisor(stop: (reason: string) => void): { reportReady(): void } {
  if (!process.connected) return { reportReady() {} };
  process.on('message', (message) => {
    if ((message as { type?: unknown } | null)?.type === 'shutdown') stop('supervisor');
  });
  process.on('disconnect', () => stop('supervisor lost'));
  // The channel alone is no reason to go on.
  process.channel?.unref();
  return { reportReady: () => void process.send?.({ type: 'ready' }) };
}
