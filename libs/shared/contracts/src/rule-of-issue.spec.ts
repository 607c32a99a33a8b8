import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ruleOfIssue } from './rule-of-issue.ts';

describe('the rule of an issue', () => {
  it.each<[z.ZodType, unknown, string]>([
    [z.string(), undefined, 'is required'],
    [z.string(), null, 'is required'],
    [z.string(), 1, 'must be a string'],
    [z.int(), 1.5, 'must be an integer'],
    [z.number().min(0), -1, 'must be at least 0'],
    [z.number().max(100), 101, 'must be at most 100'],
    [z.number().gt(0), 0, 'must be greater than 0'],
    [z.string().min(1), '', 'must not be empty'],
    [z.string().max(1), 'ab', 'must have at most 1 character'],
    [z.array(z.int()).min(2), [1], 'must have at least 2 items'],
    [z.enum(['low', 'high']), 'x', 'must be one of low, high'],
    [z.literal('a'), 'x', 'must be a'],
    [z.string().regex(/x/), 'y', 'must be in the required format'],
    [z.iso.datetime(), 'y', 'must be an RFC 3339 timestamp'],
    [z.int().multipleOf(5), 3, 'must be a multiple of 5'],
    [z.union([z.string(), z.int()]), true, 'has the wrong type'],
    [z.string().refine(() => false, 'must not be blank'), ' ', 'must not be blank'],
  ])('%#: follows the field in plain words', (schema, value, rule) => {
    expect(schema.safeParse(value, { error: ruleOfIssue }).error?.issues[0]?.message).toBe(rule);
  });
});
