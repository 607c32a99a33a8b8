import { fieldCases } from './field-cases.ts';
import { lifeCases } from './life-cases.ts';
import { objectCases } from './object-cases.ts';
import { peopleCases } from './people-cases.ts';
import { placeCases } from './place-cases.ts';
import { statusCases } from './status-cases.ts';

/** Streams of bodies in every shape that the platform sends, each with the task that must come out of it. */
export const corpus = [...statusCases, ...fieldCases, ...peopleCases, ...placeCases, ...objectCases, ...lifeCases];
