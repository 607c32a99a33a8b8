import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ProfileResource } from '@eas/contracts';

/** A skill as an agent gets to know it: where it is, and what it is for. */
export type PlacedSkill = { name: string; path: string; description: string };

const skillFile = 'SKILL.md';
const maxDescription = 500;

/** Writes the skills below the folder of the task, where git does not see them, in place of those of an earlier attempt. */
export async function placeSkills(skills: ProfileResource['skills'], taskFolder: string): Promise<PlacedSkill[]> {
  const root = join(taskFolder, 'skills');
  await rm(root, { recursive: true, force: true });
  const placed: PlacedSkill[] = [];
  for (const { name, files } of skills) {
    const folder = join(root, name);
    for (const { path, content } of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
      await writeFile(join(folder, path), content, { mode: 0o600 });
    }
    const about = files.find(({ path }) => path === skillFile)?.content ?? '';
    placed.push({ name, path: join(folder, skillFile), description: descriptionIn(about) });
  }
  return placed;
}

/** That of the front matter, else the first line that says something. */
export function descriptionIn(text: string): string {
  const lines = text.split('\n', 100).map((line) => line.trim());
  const named = lines.find((line) => line.startsWith('description:'))?.slice('description:'.length);
  const first = lines.find((line) => line !== '' && line !== '---');
  return (named ?? first ?? '')
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .replace(/^#+ /, '')
    .slice(0, maxDescription)
    .toWellFormed();
}
