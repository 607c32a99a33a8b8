export type StepEntryKind =
  `step_${'started' | 'awaiting_approval' | 'approved' | 'rejected' | 'completed' | 'failed' | 'skipped' | 'cancelled'}`;
export type RunEntryKind =
  'started' | 'paused' | 'resumed' | 'retried' | 'completed' | 'failed' | 'cancelled' | StepEntryKind;

/** What happened to a run: an entry of its timeline before it has a number. */
export type RunEntry = { kind: RunEntryKind; at: Date; actor: string; data: Record<string, unknown> };
