import { addComments, addEffect, copyState } from '../src/merging/add-effect.ts';
import type { Effect } from '../src/merging/effects.ts';
import { mergeObjectReceipt } from '../src/merging/merge-object.ts';
import { mergePullRequests } from '../src/merging/merge-pull-request.ts';
import { mergeTask } from '../src/merging/merge-task.ts';
import { isNewTask, newTaskOf } from '../src/merging/new-task.ts';
import type { PlatformState } from '../src/merging/platform-state.ts';
import { type ReadReceipt, readReceipt } from '../src/merging/read-receipt.ts';

const integrationRef = 'int_1';
const receivedAt = new Date(1_000_000);

/** A receipt as it is read from the stored body. */
export function platformReceipt(body: { event: string; [field: string]: unknown }): Promise<ReadReceipt> {
  const externalId = typeof body['task_id'] === 'string' ? body['task_id'] : null;
  const receipt = { id: '', source: 'taskplatform', integrationRef, externalId, event: body.event, receivedAt };
  return readReceipt({ ...receipt, body: JSON.stringify(body) });
}

export function sourceHostReceipt(event: string, body: object): Promise<ReadReceipt> {
  const receipt = { id: '', source: 'sourcehost', integrationRef, externalId: null, event, receivedAt };
  return readReceipt({ ...receipt, body: JSON.stringify(body) });
}

const emptyState: PlatformState = {
  rules: new Map(),
  links: new Map(),
  objects: new Map(),
  ownComments: new Map(),
  pullRequests: new Map(),
  newStages: new Set(),
  published: new Set(),
  byCommit: [],
  named: { ids: new Set(), byTicket: new Map() },
};

/** Merges receipts one after another, without a database. Entries of comments are numbered from 1. */
export function mergePlay(reads: readonly ReadReceipt[], over: Partial<PlatformState> = {}) {
  const state = copyState({ ...emptyState, ...over });
  const effects: Effect[] = [];
  const outcomes: string[] = [];
  const task: Record<string, unknown> = {};
  const comments: (string | null)[] = [];

  function changeTask(effect: Effect<'task'>): void {
    Object.assign(task, effect.change.changes);
    const entries = effect.comments.changes.map(({ entry = comments.length + 1, content }) => {
      comments[entry - 1] = content;
      return entry;
    });
    addComments(state, effect, entries);
  }

  function create(read: Extract<ReadReceipt, { kind: 'task' }>) {
    const { input, link, rest } = newTaskOf(state, read);
    Object.assign(task, { title: input.title });
    addEffect(state, { kind: 'link', link: { ...link, taskId: 'tsk_1' } });
    return { taskId: 'tsk_1', rest };
  }

  function merge(read: ReadReceipt) {
    if (read.kind === 'object') return mergeObjectReceipt(state, read);
    if (read.kind === 'pull request') return mergePullRequests(state, read, new Map());
    if (read.kind === 'task') return mergeTask(state, read, isNewTask(state, read) ? create(read) : undefined);
    throw new Error(read.reason);
  }

  for (const read of reads) {
    const merged = merge(read);
    for (const effect of merged.effects) {
      effects.push(effect);
      addEffect(state, effect);
      if (effect.kind === 'task') changeTask(effect);
    }
    outcomes.push(merged.applied([]).outcome);
  }
  return { state, effects, outcomes, task, comments: comments.toSorted() };
}
