import type { AgentDetail, PerformanceMetrics, TaskDetail, TaskListItem } from '@eas/contracts';

// What the limit responds to reads: of the size of the real responses, which the scenarios arrange.

const id = (prefix: string, number: number) => `${prefix}_01ks${String(number).padStart(22, '0')}`;
const at = '2026-11-21T10:00:00.123Z';

export const taskTitle = 'Add rate limiting to the login endpoint';
export const taskDescription = 'Five failed attempts a minute per address, then 429 with Retry-After.';
export const taskFields = {
  priority: 'high',
  due_date: '2030-06-30T17:00:00Z',
  assigned_role: 'rd',
  tags: ['security', 'backend'],
  metadata: { ticket_id: 'ENG-1234', repository: 'acme/web' },
} as const;
export const comment = 'Half way: the limiter counts, the answer lacks Retry-After.';
export const agentDraft = {
  name: 'Ada',
  role: 'rd',
  capabilities: ['typescript', 'postgres'],
  max_concurrent_tasks: 3,
};
export const currentTasks = 3;
const listedTasks = 20;

const listed = (number: number): TaskListItem => ({
  id: id('tsk', number),
  title: taskTitle,
  status: 'in_progress',
  priority: taskFields.priority,
  due_date: taskFields.due_date,
  assigned_role: taskFields.assigned_role,
  assigned_agent: id('agt', 1),
  created_at: at,
});

export const list = {
  data: Array.from({ length: listedTasks }, (_, number) => ({
    ...listed(number),
    status: 'created' as const,
    assigned_agent: null,
  })),
  metadata: { total: 10_000, limit: listedTasks, offset: 0 },
};

export const task: TaskDetail = {
  ...listed(1),
  description: taskDescription,
  tags: [...taskFields.tags],
  metadata: taskFields.metadata,
  project: null,
  updated_at: at,
  progress: { percent_complete: 0, estimate_remaining: '0h', estimate_remaining_hours: null, milestones: [] },
  activity: [
    { type: 'status_change', from: 'created', to: 'in_progress', timestamp: at },
    ...[1, 2, 3].map(() => ({ type: 'comment' as const, content: comment, timestamp: at })),
  ],
  activity_truncated: false,
  timeline_url: `/v1/tasks/${id('tsk', 1)}/timeline`,
  summary: null,
  result: null,
  scores: null,
  artifacts: [],
  artifacts_truncated: false,
  waiting_on: { kind: 'agent', id: id('agt', 1), since: at, deadline: at },
  rework_rounds: 0,
  stalled_at: null,
};

export const agent: AgentDetail = {
  id: id('agt', 1),
  name: agentDraft.name,
  role: agentDraft.role,
  status: 'active',
  capabilities: agentDraft.capabilities,
  max_concurrent_tasks: 1,
  active_tasks: 1,
  accepting: true,
  presence: 'online',
  created_at: at,
  last_active: at,
  current_tasks: Array.from({ length: currentTasks }, (_, number) => ({
    id: id('tsk', number),
    title: taskTitle,
    status: 'open' as const,
  })),
  current_tasks_truncated: false,
  stats: {
    tasks_completed: 0,
    avg_completion_time: '0h',
    avg_completion_seconds: null,
    code_quality_score: 0,
    code_quality: null,
  },
};

const figures = (completed: number) => ({
  tasks_completed: completed,
  avg_completion_time: '0h',
  avg_completion_seconds: null,
  code_quality: 0,
  scores: { code_quality: null, requirements_clarity: null },
});

export const performance: PerformanceMetrics = {
  period: 'month',
  date_range: { start: at, end: at },
  tasks: {
    total: 200,
    completed: 0,
    in_progress: 10,
    overdue: 0,
    completion_rate: 0,
    avg_completion_time: '0h',
    avg_completion_seconds: null,
  },
  agents: { rd: figures(0) },
};
