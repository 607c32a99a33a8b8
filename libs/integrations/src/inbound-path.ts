import type { IntegrationType } from '@eas/contracts';

const receivers: Record<IntegrationType, string> = {
  taskplatform: 'taskplatform',
  github: 'sourcehost',
  slack: 'chat',
};

/** Path of the address where the integration's secret alone is tried. */
export const inboundPath = ({ type, id }: { type: IntegrationType; id: string }): string =>
  `/webhook/${receivers[type]}/${id}`;
