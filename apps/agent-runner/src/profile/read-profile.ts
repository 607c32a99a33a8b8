import { profileResource } from '@eas/contracts';
import type { z } from 'zod';
import type { Api } from '../api/api.ts';
import { TaskFailure } from '../task-failure.ts';

/** What runners use. The rest counts in the service, and earlier versions of it do not have it. */
const usedProfile = profileResource.omit({ permission_rules: true, budgets: true });
type UsedProfile = z.infer<typeof usedProfile>;

/** The profile that the agent works by now. Undefined: it has none, or the service knows none. */
export async function readProfile(api: Api, agentId: string, signal: AbortSignal): Promise<UsedProfile | undefined> {
  const { status, body, error } = await api({ method: 'GET', path: `/v1/agents/${agentId}/profile` }, signal);
  if (status === 404) return undefined;
  if (error) throw new TaskFailure(`The profile of the agent could not be read: ${error.message}`, true);
  const read = usedProfile.safeParse(body);
  if (!read.success)
    throw new TaskFailure('The profile of the agent is in a form that this runner cannot read.', false);
  return read.data;
}
