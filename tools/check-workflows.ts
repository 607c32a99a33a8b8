// Reads the shipped workflows as a start does: each definition fits the schema and can be run.
import { resolve } from 'node:path';
import { readShippedWorkflows } from '@eas/workflows';

const shipped = readShippedWorkflows(resolve(import.meta.dirname, '../prisma/seed/workflows'));
const steps = shipped.reduce((sum, { definition }) => sum + definition.steps.length, 0);
console.log(`${shipped.length} workflows with ${steps} steps`);
process.exitCode = shipped.length > 0 ? 0 : 1;
