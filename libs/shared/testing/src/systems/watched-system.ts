import { noteSettings, refuseSecrets } from '../secret-watch.ts';
import { type OwnSystem, startOwnSystem } from './own-system.ts';

/** A system of a test's own: its `stop` throws when it has printed or logged a secret that the test knows. */
export async function startWatchedSystem(
  ...[env, settings = {}]: Parameters<typeof startOwnSystem>
): Promise<OwnSystem> {
  noteSettings(settings);
  const system = await startOwnSystem(env, settings);
  const stop = async () => {
    const output = await system.stop();
    refuseSecrets(output);
    return output;
  };
  return { ...system, stop };
}
