import { z } from 'zod';
import {
  exampleId,
  exampleTime,
  idOf,
  idOutput,
  requiredText,
  role,
  timestampInput,
  timestampOutput,
  wholeNumberInput,
} from '../../fields.ts';
import { listQuery, listResponse } from '../list.ts';
import { exampleSettings, isWithinSettings, settingsFields, settingsInput, settingsPatch } from './profile-settings.ts';

const name = requiredText(200).describe('Its name. No other profile has it.');
const description = requiredText(4_000).describe('What it is for.');
const rolesText = 'Roles whose agents get the profile, unless they have one of their own. A role has one profile.';
const agentsText = 'IDs of agents that get the profile, whatever their role. An agent has one profile.';
const roles = z.array(role).max(50).describe(rolesText);
const agents = z.array(idOutput).max(200).describe(agentsText);
const versionOf = (text: string) => z.int().min(1).max(2_147_483_647).describe(text);

const exampleFields = {
  name: 'Backend',
  description: 'How our back end is written.',
  roles: ['rd'],
  agents: [],
};

export const createProfileBody = z
  .strictObject({
    name,
    description: description.nullable().default(null),
    roles: roles.default([]),
    agents: agents.default([]),
    ...settingsInput,
  })
  .refine(...isWithinSettings)
  .meta({ id: 'CreateProfile', description: 'A new profile.', example: { ...exampleFields, ...exampleSettings } });
export type CreateProfileBody = z.output<typeof createProfileBody>;

export const changeProfileBody = z
  .strictObject({
    name: name.optional(),
    description: description.nullable().optional(),
    roles: roles.nullable().optional(),
    agents: agents.nullable().optional(),
    ...settingsPatch,
  })
  .refine(...isWithinSettings)
  .meta({
    id: 'ChangeProfile',
    description:
      'A JSON merge patch of a profile. Fields that you leave out stay as they are; null resets a field; lists are replaced as a whole.',
    example: { effort: 'medium', roles: ['rd', 'qa'] },
  });
export type ChangeProfileBody = z.output<typeof changeProfileBody>;

const summaryFields = {
  id: idOf('ID of the profile.'),
  name: z.string().max(200).describe('Its name.'),
  description: z.string().max(4_000).nullable().describe('What it is for.'),
  roles: z.array(z.string().max(64)).max(50).describe(rolesText),
  agents: z.array(idOutput).max(200).describe(agentsText),
  version: versionOf('Grows with each change. It is the `ETag`.'),
  created_at: timestampOutput.describe('When the profile was created.'),
  updated_at: timestampOutput.describe('When the profile was last changed.'),
};
const exampleSummary = {
  id: exampleId('prf'),
  ...exampleFields,
  version: 3,
  created_at: exampleTime,
  updated_at: exampleTime,
};

export const profileResource = z.object({ ...summaryFields, ...settingsFields }).meta({
  id: 'Profile',
  base: 'ProfileSummary',
  description: 'How the agents of a role work: instructions, model, skills, tools, checks, permissions and budgets.',
  example: { ...exampleSummary, ...exampleSettings },
});
export type ProfileResource = z.infer<typeof profileResource>;

const profileSummary = z.object(summaryFields).meta({
  id: 'ProfileSummary',
  description: 'A profile without its settings.',
  example: exampleSummary,
});
export type ProfileSummary = z.infer<typeof profileSummary>;

/** Settings of a version do not change any more. */
export const profileVersion = z
  .object({
    profile_id: idOf('ID of the profile.'),
    version: versionOf('The version of the profile that brought these settings.'),
    created_at: timestampOutput.describe('When it was made.'),
    created_by: idOutput.describe('ID of the person or credential that made it.'),
    ...settingsFields,
  })
  .meta({
    id: 'ProfileVersion',
    description: 'The settings of a profile as of one of its versions.',
    example: {
      profile_id: exampleId('prf'),
      version: 2,
      created_at: exampleTime,
      created_by: exampleId('usr'),
      ...exampleSettings,
    },
  });
export type ProfileVersion = z.infer<typeof profileVersion>;

const exampleVersion = {
  profile_id: exampleId('prf'),
  version: 2,
  created_at: exampleTime,
  created_by: exampleId('usr'),
};

const profileVersionSummary = profileVersion
  .pick({ profile_id: true, version: true, created_at: true, created_by: true })
  .meta({
    id: 'ProfileVersionSummary',
    description: 'A version of a profile without its settings.',
    example: exampleVersion,
  });
export type ProfileVersionSummary = z.infer<typeof profileVersionSummary>;

/** How many versions are kept of a profile. */
export const maxProfileVersions = 100;

export const profileVersionList = z
  .object({
    data: z.array(profileVersionSummary).max(maxProfileVersions).describe('The versions, newest first.'),
  })
  .meta({
    id: 'ProfileVersionList',
    description: `The newest versions of a profile, at most ${maxProfileVersions}.`,
    example: { data: [exampleVersion] },
  });

const text = z.string().max(500);
const filters = {
  id: text,
  name: text,
  description: z.string().max(4_000),
  version: wholeNumberInput(0, 2_147_483_647),
  created_at: timestampInput,
  updated_at: timestampInput,
};
export const profileListFields = Object.keys(filters) as [keyof typeof filters];

export const profileListQuery = listQuery({ sortable: profileListFields, filters });
export type ProfileListQuery = z.output<typeof profileListQuery>;

export const profileList = listResponse(profileSummary);
