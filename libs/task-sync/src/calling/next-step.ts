import { type PullRequestStep, restOf, type TakenCall } from '@eas/platform-calls';

/** The call goes on with its next attempt, which may rely on what this one found, and no later one may. */
export const nextStep = (
  { payload, attempts }: Pick<TakenCall, 'payload' | 'attempts'>,
  rest: { restUntil?: number },
  step: Omit<PullRequestStep, 'attempt'>,
) => ({
  kind: 'next' as const,
  payload: { ...payload, step: { attempt: attempts + 1, ...step } },
  ...restOf(rest),
});
