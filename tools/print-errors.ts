// Writes docs/errors.md from the error codes and constraint words of the contracts.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { constraintWords, errorCodes } from '@eas/contracts';
import prettier from 'prettier';

const file = resolve(import.meta.dirname, '../docs/errors.md');
const codes = Object.entries(errorCodes).map(
  ([code, { status, meaning }]) => `| \`${code}\` | ${status} | ${meaning} |`,
);
const words = Object.entries(constraintWords).map(([word, meaning]) => `| \`${word}\` | ${meaning} |`);
const text = `<!-- Made by tools/print-errors.ts from libs/shared/contracts/src/error-codes.ts; do not edit. -->

# Errors

Every error of the REST API has the form \`{"error": {"code", "message", "details", "request_id"}}\`. \`details\` contains
the first violation as \`{field, constraint}\`; \`error.errors\` lists all of them. \`request_id\` is the value of the header
\`X-Request-Id\` and appears in the log. The receivers of webhooks respond with \`{"error": {"message", "code"}}\`.

| code | status | meaning |
|---|---|---|
${codes.join('\n')}

The statuses 405, 412, 413 and 415 have the code \`invalid_request\`. The status 503 has the code \`server_error\` and a Retry-After header.

## Constraint words

| word | meaning |
|---|---|
${words.join('\n')}
`;
const options = await prettier.resolveConfig(file);
writeFileSync(file, await prettier.format(text, { ...options, filepath: file }));
