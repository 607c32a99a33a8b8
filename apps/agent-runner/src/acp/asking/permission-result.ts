import { permissionResult } from '@eas/contracts';
import type { CallResult } from '../../lease/lease-keeper.ts';

const decided = permissionResult.pick({ decision: true });
const decisionIn = (body: unknown) => decided.safeParse(body).data?.decision;

/** Whether a person was asked. */
export const isAsk = (result: CallResult): boolean => result.kind === 'done' && decisionIn(result.body) === 'ask';

/** Whether the service does not take what it is asked. */
export const isMisfit = (result: CallResult): boolean =>
  result.kind === 'refused' && result.error.code === 'invalid_input';

/** Whether the agent may. A service that is older than permissions allows what its runners do. */
export function isGranted(result: CallResult): boolean {
  if (result.kind === 'done') return decisionIn(result.body) === 'allow';
  return result.kind === 'refused' && result.error.code === 'not_found';
}
