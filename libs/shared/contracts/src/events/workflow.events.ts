import { z } from 'zod';
import { exampleId, exampleTime } from '../fields.ts';
import { defineEvents, eventData, id, text, timestamp, word } from './event.ts';

const runRef = {
  workflow_run_id: id('ID of the run.'),
  workflow_id: id('ID of the workflow.'),
  name: text('Name of the run.'),
};
const exampleRef = {
  workflow_run_id: exampleId('run'),
  workflow_id: exampleId('wfl'),
  name: 'Login rate limiting',
};
const stepRef = { step_id: id('ID of the step.'), step_name: text('Name of the step.') };
const exampleStep = { step_id: exampleId('stp'), step_name: 'Implement' };

export const workflowEvents = defineEvents({
  'workflow.started': {
    visibility: 'public',
    data: eventData(
      'A run of a workflow started.',
      { ...runRef, started_by: id('Who started it.') },
      { ...exampleRef, started_by: exampleId('usr') },
    ),
    facts: null,
  },
  'workflow.step_completed': {
    visibility: 'public',
    data: eventData(
      'A step of a run was completed.',
      {
        ...runRef,
        ...stepRef,
        role: word('The role of the step.'),
        task_id: id('The task of the step.'),
        completed_by: id('Who completed it. null: not known.').nullable(),
        attempt: z.int().min(1).max(2_147_483_647).describe('Number of the attempt.'),
        step_key: word('ID of the step in the workflow.').optional(),
        started_at: timestamp('When the first attempt started.').optional(),
        completion_time: timestamp('When the step was completed.'),
      },
      {
        ...exampleRef,
        ...exampleStep,
        role: 'rd',
        task_id: exampleId('tsk'),
        completed_by: exampleId('agt'),
        attempt: 1,
        step_key: 'implement',
        started_at: '2026-11-20T09:00:00Z',
        completion_time: exampleTime,
      },
    ),
    facts: null,
  },
  'workflow.completed': {
    visibility: 'public',
    data: eventData(
      'A run was completed.',
      { ...runRef, completion_time: timestamp('When the run was completed.') },
      { ...exampleRef, completion_time: exampleTime },
    ),
    facts: null,
  },
  'workflow.failed': {
    visibility: 'public',
    data: eventData(
      'A run failed.',
      { ...runRef, ...stepRef, reason: text('Why the step failed.') },
      { ...exampleRef, ...exampleStep, reason: 'The test database does not start.' },
    ),
    facts: null,
  },
  'workflow.cancelled': {
    visibility: 'public',
    data: eventData(
      'A run was cancelled.',
      { ...runRef, cancelled_by: id('Who cancelled it.') },
      { ...exampleRef, cancelled_by: exampleId('usr') },
    ),
    facts: null,
  },
});
