import type { Form, FormContent, InputResource, Permission } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';

/** `author`: a person whom another system names. */
export type InputAnswer = {
  answer?: string;
  content?: FormContent;
  decision?: NonNullable<InputResource['decision']>;
  comment?: string;
  author?: string;
};

export type Input = {
  id: string;
  taskId: string;
  leaseId: string;
  agentId: string;
  kind: InputResource['kind'];
  prompt: string;
  options: string[];
  form: Form | null;
  permission: Permission | null;
  /** What requests for the permission are the same by; null: no request gets the answer, the directive has it. */
  permissionKey: string | null;
  isBlocking: boolean;
  status: InputResource['status'];
  answer: InputAnswer | null;
  answeredBy: string | null;
  createdAt: Date;
  expiresAt: Date;
  answeredAt: Date | null;
};

export function toInputResource(input: Input): InputResource {
  return {
    id: input.id,
    task_id: input.taskId,
    lease_id: input.leaseId,
    agent_id: input.agentId,
    kind: input.kind,
    prompt: input.prompt,
    options: input.options,
    form: input.form,
    permission: input.permission,
    blocking: input.isBlocking,
    status: input.status,
    ...saidIn(input.answer),
    answered_by: input.answeredBy,
    created_at: formatTimestamp(input.createdAt),
    expires_at: formatTimestamp(input.expiresAt),
    answered_at: input.answeredAt && formatTimestamp(input.answeredAt),
  };
}

const saidIn = (said: InputAnswer | null) => ({
  answer: said?.answer ?? null,
  content: said?.content ?? null,
  decision: said?.decision ?? null,
  comment: said?.comment ?? null,
  answered_by_name: said?.author ?? null,
});
