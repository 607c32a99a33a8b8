import type { ParameterDefinition } from '@eas/contracts';
import type { AppError, Violation } from '@eas/core';
import { describe, expect, it } from '@jest/globals';
import { assertParameters } from './assert-parameters.ts';

function violationsOf(parameters: Record<string, unknown>, declared: Record<string, ParameterDefinition> = {}) {
  try {
    assertParameters({ parameters: declared }, parameters);
    return [];
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_input' });
    return (error as AppError).violations.map(({ field, constraint }: Violation) => [field, constraint]);
  }
}

describe('the parameters of a run', () => {
  it.each<[ParameterDefinition['type'], unknown, unknown]>([
    ['string', 'x', 1],
    ['number', 1.5, '1.5'],
    ['integer', 2, 2.5],
    ['boolean', false, 0],
    ['array', [], {}],
    ['object', {}, []],
    ['timestamp', '2027-01-01', 5],
  ])('that are declared as %s take %j and not %j', (type, good, bad) => {
    const declared = { x: { type, required: false } };
    expect([violationsOf({ x: good }, declared), violationsOf({ x: bad }, declared)]).toEqual([
      [],
      [['parameters.x', 'type']],
    ]);
  });

  it.each([undefined, null, '', ' \n'])('that are required are not left out by %j', (x) => {
    const declared = { x: { type: 'string' as const, required: true } };
    expect(violationsOf({ x }, declared)).toEqual([['parameters.x', 'required']]);
  });

  it('are one of the values that they may have', () => {
    const declared = { x: { type: 'integer' as const, required: false, enum: [1, 2] } };
    expect([violationsOf({ x: 2 }, declared), violationsOf({ x: 3 }, declared)]).toEqual([
      [],
      [['parameters.x', 'enum']],
    ]);
  });

  it('that every workflow knows are checked by type, declared or not', () => {
    const wrong = { feature_description: 1, priority: 'now', due_date: '2027-02-30', repository: {}, ticket_id: false };
    expect(violationsOf(wrong)).toEqual([
      ['parameters.feature_description', 'type'],
      ['parameters.priority', 'enum'],
      ['parameters.due_date', 'format'],
      ['parameters.repository', 'type'],
      ['parameters.ticket_id', 'type'],
    ]);
    expect(violationsOf({ priority: 3 })).toEqual([['parameters.priority', 'type']]);
    const declared = { priority: { type: 'string' as const, required: true, enum: ['low'] } };
    expect([violationsOf({ priority: 'high' }, declared), violationsOf({}, declared)]).toEqual([
      [['parameters.priority', 'enum']],
      [['parameters.priority', 'required']],
    ]);
  });

  it('that are not declared are taken as they are', () => {
    expect(violationsOf({ other: { deep: [1] }, constructor: 1, priority: null })).toEqual([]);
  });
});
