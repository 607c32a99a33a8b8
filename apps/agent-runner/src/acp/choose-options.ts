import { z } from 'zod';
import { UnfitProfileError } from './agent-error.ts';
import type { Connection } from './connection.ts';
import { openedSession } from './messages.ts';
import type { OpenSession } from './open-session.ts';

/** What a profile wants of a session; null: the agent's default. */
export type WantedOptions = { model: string | null; effort: string | null };

/** Longest time for each choice. */
const seconds = 120;

type Choice = { value: string; name: string };

/** Sets model and effort. Throws UnfitProfileError that lists the agent's options when these are missing. */
export async function chooseOptions(
  connection: Connection,
  { id, opened }: OpenSession,
  { model, effort }: WantedOptions,
): Promise<void> {
  let { configOptions } = opened;
  const set = async (category: string, what: string, wanted: string) => {
    const option = configOptions?.find((one) => one.category === category);
    const value = chosen(what, wanted, (option?.options ?? []).flatMap(choicesOf));
    const request = { sessionId: id, configId: option?.id, value };
    const response = await connection.request('session/set_config_option', request, openedSession, { seconds });
    configOptions = response.configOptions ?? configOptions;
  };
  if (model !== null) {
    if (configOptions?.some(({ category }) => category === 'model')) await set('model', 'model', model);
    else {
      const offered = (opened.models?.availableModels ?? []).map(({ modelId, name }) => ({ value: modelId, name }));
      const request = { sessionId: id, modelId: chosen('model', model, offered) };
      await connection.request('session/set_model', request, z.unknown(), { seconds });
    }
  }
  // The available efforts depend on the model.
  if (effort !== null) await set('thought_level', 'effort', effort);
}

const choicesOf = (option: Choice | { options: Choice[] }): Choice[] =>
  'value' in option ? [option as Choice] : option.options;

/** By its value or the name that people see. */
function chosen(what: string, wanted: string, offered: readonly Choice[]): string {
  const isWanted = (text: string) => text.toLowerCase() === wanted.toLowerCase();
  const found = offered.find(({ value }) => isWanted(value)) ?? offered.find(({ name }) => isWanted(name));
  if (found) return found.value;
  const values = offered.map(({ value }) => value).slice(0, 30);
  const has = values.length > 0 ? `It offers ${values.join(', ')}.` : 'It offers none to choose from.';
  throw new UnfitProfileError(
    `The profile wants the ${what} ${JSON.stringify(wanted)}, which the agent does not offer. ${has}`,
  );
}
