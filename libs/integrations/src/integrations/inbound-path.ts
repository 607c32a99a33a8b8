import type { IntegrationType } from '@eas/contracts';

const receivers: Partial<Record<IntegrationType, string>> = { taskplatform: 'taskplatform', github: 'sourcehost' };

/** Path of the address where the integration's secret alone is tried; none for a type that sends nothing. */
export function inboundPath({ type, id }: { type: IntegrationType; id: string }): string | undefined {
  const receiver = receivers[type];
  return receiver && `/webhook/${receiver}/${id}`;
}
