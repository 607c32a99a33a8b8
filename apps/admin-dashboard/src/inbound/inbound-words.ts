import type { Schemas } from '../api/client.ts';
import { inboundStateValues } from '../generated/api.ts';
import type { Tone } from '../parts/tag.tsx';

export type InboundEvent = Schemas['InboundEvent'];
export type InboundState = Schemas['InboundState'];

export const inboundStates = inboundStateValues;

const states: Readonly<Record<InboundState, { tone: Tone; sentence: string }>> = {
  received: { tone: 'accent', sentence: 'It waits to be applied, usually for less than a second.' },
  applied: { tone: 'good', sentence: 'It changed something here, or published an event.' },
  ignored: { tone: 'none', sentence: 'There was nothing to change.' },
  quarantined: {
    tone: 'warn',
    sentence: 'It is kept and was not applied. When a new version of the service knows its event, replay it.',
  },
  failed: { tone: 'bad', sentence: 'It could not be applied. When the reason is gone, replay it.' },
};
/** New states can be added. */
export const stateTone = (state: string): Tone => states[state as InboundState]?.tone ?? 'none';
export const stateSentence = (state: string): string => states[state as InboundState]?.sentence ?? '';

const reasons: Readonly<Record<string, string>> = {
  not_newer: 'nothing in it is newer than what is known here',
  unknown_event: 'the name of the event is not known',
  too_large: 'it has more parts than are applied at once',
  refused: 'it breaks a rule of the service',
  gave_up: 'all attempts failed',
  repository: 'the integration does not cover this repository',
  no_label: 'the issue has none of the labels of the integration',
  no_pull_request: 'it belongs to no pull request that is known here',
};
/** The reason in words; an unknown reason is shown as it is. */
export const reasonWord = (reason: string): string => reasons[reason] ?? reason.replaceAll('_', ' ');

/** What a replay can choose: an event that waits is applied anyway. */
export const replayableStates = inboundStateValues.filter((state) => state !== 'received');
