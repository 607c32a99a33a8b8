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

Every error of the REST API is \`{"error": {"code", "message", "details", "request_id"}}\`. \`details\` names the first
violation as \`{field, constraint}\`; all of them follow in \`error.errors\`. \`request_id\` equals the header
\`X-Request-Id\` and stands in the log. Receivers answer \`{"error": {"message", "code"}}\`.

| code | status | meaning |
|---|---|---|
${codes.join('\n')}

405, 412, 413 and 415 carry \`invalid_request\`; 503 carries \`server_error\` with Retry-After.

## Constraint words

| word | meaning |
|---|---|
${words.join('\n')}
`;
const options = await prettier.resolveConfig(file);
writeFileSync(file, await prettier.format(text, { ...options, filepath: file }));
