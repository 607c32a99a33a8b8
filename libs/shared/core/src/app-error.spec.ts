import { describe, expect, it } from '@jest/globals';
import { AppError } from './app-error.ts';
import { assertNever } from './assert-never.ts';

describe('AppError', () => {
  it('turns one constraint into one violation and none into none', () => {
    expect(new AppError('conflict', { field: 'status', constraint: 'state' }).violations).toEqual([
      { field: 'status', constraint: 'state' },
    ]);
    expect(new AppError('invalid_input', { constraint: 'required' }).violations).toEqual([
      { field: '', constraint: 'required' },
    ]);
    expect(new AppError('not_found').violations).toEqual([]);
  });

  it('keeps a list of violations in its order', () => {
    const violations = [
      { field: 'title', constraint: 'required' as const },
      { field: 'tags.0', constraint: 'max_length' as const },
    ];
    expect(new AppError('invalid_input', { violations }).violations).toEqual(violations);
  });

  it('keeps the first hundred violations', () => {
    const violations = Array.from({ length: 200 }, (_, n) => ({ field: `tags.${n}`, constraint: 'type' as const }));
    expect(new AppError('invalid_input', { violations }).violations).toEqual(violations.slice(0, 100));
  });

  it('has its code as message if it has none of its own, and carries cause, status and headers', () => {
    const cause = new Error('below');
    const error = new AppError('server_error', { cause, status: 503, headers: { 'Retry-After': '1' } });
    expect(error).toMatchObject({ message: 'server_error', cause, status: 503, headers: { 'Retry-After': '1' } });
    expect(error).toBeInstanceOf(Error);
    expect('cause' in new AppError('forbidden')).toBe(false);
  });
});

describe('assertNever', () => {
  it('names the value that has no case', () => {
    expect(() => assertNever({ kind: 'new' } as never)).toThrow('{"kind":"new"}');
  });
});
