import { isCancel, multiselect, password, select, text } from '@clack/prompts';
import { CliError } from './cli-error.ts';

/** What a person types; Ctrl-C ends the command. */
async function answered<T>(asking: Promise<T>): Promise<Exclude<T, symbol>> {
  const answer = await asking;
  if (isCancel(answer)) throw new CliError('Cancelled.', 130);
  return answer as Exclude<T, symbol>;
}

export const askSecret = (message: string): Promise<string> => answered(password({ message }));

/** Empty: nothing was typed. */
export const askText = async (message: string): Promise<string> =>
  (await answered(text({ message, defaultValue: '' }))).trim();

export const askChoice = (message: string, options: readonly string[]): Promise<string> =>
  askOption(
    message,
    options.map((value) => ({ value, label: value })),
  );

type Option = { value: string; label: string };

/** Gives the value of the chosen option. */
export const askOption = (message: string, options: readonly Option[]): Promise<string> =>
  answered(select({ message, options: [...options] }));

/** Any number of options, also none. */
export const askOptions = (message: string, options: readonly Option[]): Promise<string[]> =>
  answered(multiselect({ message, options: [...options], required: false }));
