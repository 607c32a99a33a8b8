import { Tag } from '../parts/tag.tsx';
import type { TaskStatus } from './task-queries.ts';
import { statusLabel, statusTone } from './task-words.ts';

export const StatusTag = ({ status }: { status: TaskStatus }) => (
  <Tag tone={statusTone(status)}>{statusLabel(status)}</Tag>
);
