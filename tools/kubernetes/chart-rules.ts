import { imageFindings } from './names.ts';
import { type Overlay, renderHelm, runHelm } from './render.ts';

/** What the chart must refuse, each with the word that its message has to contain. */
const refused: readonly (readonly [args: string[], word: string])[] = [
  [['--set', 'settings.BASE_URL='], 'BASE_URL'],
  [['--set', 'settings.ENCRYPTION_KEY=abc'], 'ENCRYPTION_KEY'],
  [['--set', 'settings.DB_POOL=8'], 'DB_POOL'],
  [['--set', 'ingress.host='], 'ingress'],
  [['--set', 'replicas=3'], 'replicas'],
];

/** For each refusal the findings: none when the schema of the values refuses it. */
export const refusalFindings = (overlay: Overlay): Promise<string[][]> =>
  Promise.all(
    refused.map(async ([args, word]) => {
      const { code, output } = await runHelm('template', overlay, args);
      return code !== 0 && output.includes(word) ? [] : [`the chart takes ${args.join(' ')}`];
    }),
  );

export async function lintFindings(overlay: Overlay): Promise<string[]> {
  const { code, output } = await runHelm('lint', overlay);
  return code === 0 ? [] : [output];
}

/** Without a tag the chart installs the version that it was made for. */
export const appVersionFindings = async (overlay: Overlay): Promise<string[]> =>
  imageFindings(await renderHelm(overlay, ['--set', 'image.tag=']));
