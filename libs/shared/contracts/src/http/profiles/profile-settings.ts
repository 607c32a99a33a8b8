import { z } from 'zod';
import { ofMaxBytes, requiredText } from '../../fields.ts';
import { checkInput, check, ruled } from '../git/git-settings.ts';

/** Of all settings of a profile together, when serialised: the runner gets them with each task. */
const maxSettingsBytes = 256 * 1024;
const [maxSkills, maxFiles, maxServers] = [20, 50, 20];
const skillFile = 'SKILL.md';

const texts = {
  instructions: 'What the agent reads before each task, in Markdown. null: nothing.',
  model: 'The model to use, as the agent calls it. null: the default of the agent.',
  effort: 'How much the model is to think, as the agent calls it. null: the default of the agent.',
  skills: 'Files with knowledge for some of the work, which the agent reads when it needs them.',
  servers: 'MCP servers whose tools the agent gets.',
  checks: 'Commands that the runner executes after the work, next to those of the repository. All must exit with 0.',
  variables:
    'Values may contain `${MCP_…}`: the variable of that name of the runner, which keeps secrets out of profiles.',
};

const slugRule = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const slug = (maxLength: number) =>
  requiredText(maxLength).regex(slugRule, { message: 'must be lower-case letters and digits, with single hyphens' });

function pathProblem(path: string): string | undefined {
  if (/[\p{Cc}\\]/u.test(path)) return 'must not contain control characters or backslashes. Separate folders with /';
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..') || /^[A-Za-z]:|^~/.test(path))
    return 'must be a relative path below the folder of the skill, such as references/api.md';
  return undefined;
}

const exampleSkill = {
  name: 'release-notes',
  files: [
    {
      path: skillFile,
      content: '---\nname: release-notes\ndescription: How we write release notes.\n---\nOne line for each change.',
    },
  ],
};
const skillFields = {
  name: slug(64).describe('Its name, and that of its folder.'),
  files: z.array(
    z
      .strictObject({
        path: ruled(200, pathProblem).describe('Path in the folder of the skill.'),
        content: z.string().max(maxSettingsBytes).describe('Text of the file.'),
      })
      .meta({ id: 'SkillFile', description: 'A file of a skill.', example: exampleSkill.files[0] }),
  ),
};
const skill = z
  .strictObject({ ...skillFields, files: skillFields.files.min(1).max(maxFiles).superRefine(checkFiles) })
  .meta({
    id: 'Skill',
    description: `A folder of files for the agent. \`${skillFile}\` says in its first lines what the skill is for.`,
    example: exampleSkill,
  });

function checkFiles(files: readonly { path: string }[], context: z.RefinementCtx): void {
  refuseRepeated(
    files.map(({ path }) => path.toLowerCase()),
    { context, field: 'path', what: 'the path of another file' },
  );
  if (!files.some(({ path }) => path === skillFile))
    context.addIssue({ code: 'custom', params: { constraint: 'required' }, message: `must contain ${skillFile}` });
}

type Repeated = { context: z.RefinementCtx; field: string; what: string };

function refuseRepeated(values: readonly string[], { context, field, what }: Repeated): void {
  const first = new Map<string, number>();
  for (const [index, value] of values.entries())
    if (first.has(value))
      context.addIssue({
        code: 'custom',
        path: [index, field],
        params: { constraint: 'exists' },
        message: `is already ${what}. Choose another one`,
      });
    else first.set(value, index);
}

const values = (description: string) =>
  z
    .record(z.string().min(1).max(200), z.string().max(4_096))
    .refine((record) => Object.keys(record).length <= 50, {
      params: { constraint: 'max_length' },
      message: 'must have at most 50 entries',
    })
    .default({})
    .describe(`${description} ${texts.variables}`);
const exampleServer = {
  type: 'http' as const,
  name: 'issues',
  url: 'https://mcp.example.com/mcp',
  headers: { Authorization: 'Bearer ${MCP_ISSUES_TOKEN}' },
};
const serverName = slug(64).describe('Its name, which is part of the names of its tools.');

const remoteServer = z
  .strictObject({
    type: z.enum(['http', 'sse']).describe('Its transport.'),
    name: serverName,
    url: z
      .url({ protocol: /^https?$/ })
      .max(2_048)
      .describe('Its address, as the machine of the agent reaches it.'),
    headers: values('HTTP headers of each request.'),
  })
  .meta({ id: 'RemoteMcpServer', description: 'An MCP server that is reached by HTTP.', example: exampleServer });
const localServer = z
  .strictObject({
    type: z.literal('stdio').describe('Its transport.'),
    name: serverName,
    command: requiredText(1_024).describe('The program to start on the machine of the agent.'),
    args: z.array(z.string().max(4_096)).max(50).default([]).describe(`Its arguments. ${texts.variables}`),
    env: values('Its environment.'),
  })
  .meta({
    id: 'LocalMcpServer',
    description: 'An MCP server that is a program on the machine of the agent.',
    example: { type: 'stdio', name: 'docs', command: 'docs-mcp', args: ['--stdio'], env: {} },
  });
const server = z.discriminatedUnion('type', [remoteServer, localServer]).meta({
  id: 'McpServer',
  description: 'An MCP server whose tools the agent gets.',
  example: exampleServer,
});

const instructions = requiredText(65_536).nullable().describe(texts.instructions);
const model = requiredText(200).nullable().describe(texts.model);
const effort = requiredText(64).nullable().describe(texts.effort);
const skills = z
  .array(skill)
  .max(maxSkills)
  .superRefine((all, context) =>
    refuseRepeated(
      all.map(({ name }) => name),
      { context, field: 'name', what: 'the name of another skill' },
    ),
  )
  .describe(texts.skills);
const servers = z
  .array(server)
  .max(maxServers)
  .superRefine((all, context) =>
    refuseRepeated(
      all.map(({ name }) => name),
      { context, field: 'name', what: 'the name of another server' },
    ),
  )
  .describe(texts.servers);
const checks = z
  .array(checkInput)
  .max(20)
  .superRefine((all, context) =>
    refuseRepeated(
      all.map(({ name }) => name),
      { context, field: 'name', what: 'the name of another check' },
    ),
  )
  .describe(texts.checks);

/** What a profile is made of, as it is sent. */
export const settingsInput = {
  instructions: instructions.default(null),
  model: model.default(null),
  effort: effort.default(null),
  skills: skills.default([]),
  mcp_servers: servers.default([]),
  checks: checks.default([]),
};

/** The same in a merge patch: lists are replaced as a whole. */
export const settingsPatch = {
  instructions: instructions.optional(),
  model: model.optional(),
  effort: effort.optional(),
  skills: skills.nullable().optional(),
  mcp_servers: servers.nullable().optional(),
  checks: checks.nullable().optional(),
};

export const settingsFields = {
  instructions: z.string().max(65_536).nullable().describe(texts.instructions),
  model: z.string().max(200).nullable().describe(texts.model),
  effort: z.string().max(64).nullable().describe(texts.effort),
  skills: z.array(skill).max(maxSkills).describe(texts.skills),
  mcp_servers: z.array(server).max(maxServers).describe(texts.servers),
  checks: z.array(check).max(20).describe(texts.checks),
};
const settings = z.object(settingsFields);
export type ProfileSettings = z.infer<typeof settings>;

export const isWithinSettings = ofMaxBytes(maxSettingsBytes);

export const exampleSettings = {
  instructions: 'Write the test first. Keep functions short.',
  model: 'claude-sonnet-5',
  effort: 'high',
  skills: [exampleSkill],
  mcp_servers: [exampleServer],
  checks: [{ name: 'lint', command: 'npm run lint', timeout_seconds: 300 }],
} satisfies ProfileSettings;
