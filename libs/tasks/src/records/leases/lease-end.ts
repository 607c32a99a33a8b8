/** Why leases end, as people and agents read it. */
export const leaseEndTexts = {
  completed: 'the task was completed',
  failed: 'the agent failed the task',
  released: 'the agent released the task',
  handed_off: 'the agent handed the task over',
  returned: 'the agent released the task',
  completed_elsewhere: 'the task was completed elsewhere',
  cancelled: 'the task was cancelled',
  expired: 'the lease was not renewed in time',
  parked_too_long: 'the agent did not continue in time after the answer',
  input_expired: 'the input was not answered in time',
  agent_removed: 'the agent was removed',
  timed_out: 'the task took too long',
} as const;

export type LeaseEnd = keyof typeof leaseEndTexts;
