import { TaskFailure } from '../task-failure.ts';

const maxReasonLength = 1_500;

/** Messages of git when a retry can help: network, other server, disk. */
const passing =
  /No space left on device|Disk quota exceeded|Could not resolve host|Temporary failure in name resolution|Connection (?:timed out|refused|reset|closed)|Network is unreachable|No route to host|Failed to connect|Operation timed out|early EOF|unexpected disconnect|hung up unexpectedly|returned error: (?:5\d\d|429)|HTTP (?:5\d\d|429)|did not end within/i;
/** Messages when a person has to change something. */
const lasting =
  /Authentication failed|could not read (?:Username|Password)|Permission denied|Host key verification failed|returned error: 40[0-4]|access denied|terminal prompts disabled|repository .*not found|does not appear to be a git repository|does not exist|not a git repository|dubious ownership|transport '[^']*' not allowed/i;

/** Whether a retry may work; true for unknown messages. */
export const canPass = (message: string): boolean => passing.test(message) || !lasting.test(message);

/** Why a call failed, as git says it, without what it suggests and without credentials. */
export function gitFailure(args: readonly string[], message: string): TaskFailure {
  return new TaskFailure(`git ${args[0]} failed: ${plain(message)}`, canPass(message));
}

export function plain(message: string): string {
  const lines = message.split(/\r?\n|\r/).filter((line) => line.trim() !== '' && !/^(?:remote: )?hint:/.test(line));
  const text = lines.join('\n').replaceAll(/(\w+:\/\/)[^/\s@]+@/g, '$1');
  return text.length > maxReasonLength ? `…${text.slice(-maxReasonLength)}` : text;
}
