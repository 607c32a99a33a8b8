import { describe, expect, it } from '@jest/globals';
import { drawableSteps, mergePatchOf, offsetOf, readDefinitionText } from './definition-text.ts';

describe('a definition that is typed', () => {
  it('is an object, or the error that explains why not', () => {
    expect(readDefinitionText('{"name": "n"}')).toEqual({ definition: { name: 'n' } });
    expect(readDefinitionText('[]').error).toBe('A definition is a JSON object.');
    expect(readDefinitionText('{"name"').error).toMatch(/^This is not JSON yet/);
  });

  it('is drawn as far as it makes sense', () => {
    const steps = [
      { id: 'a', name: 'A', role: 'rd' },
      { id: 'b', needs: ['a', 'a', 7, 'gone'], approval: { person: true } },
      { id: 'b', name: 'twice' },
      { name: 'without id' },
      null,
    ];
    expect(drawableSteps({ steps })).toEqual([
      { key: 'a', name: 'A', needs: [], note: 'rd', tone: 'none' },
      { key: 'b', name: 'b', needs: ['a', 'gone'], note: 'approval', tone: 'warn' },
    ]);
    expect(drawableSteps({ steps: 'none' })).toEqual([]);
    expect(drawableSteps({})).toEqual([]);
  });
});

it('a merge patch has what changed, null for what is gone, and lists as a whole', () => {
  const before = {
    name: 'n',
    parameters: { a: { type: 'string', enum: ['x'] }, b: { type: 'number' } },
    steps: [1, 2],
  };
  const after = { name: 'n', parameters: { a: { type: 'string' }, c: { type: 'object' } }, steps: [2] };
  expect(mergePatchOf(before, after)).toEqual({
    parameters: { a: { enum: null }, b: null, c: { type: 'object' } },
    steps: [2],
  });
  expect(mergePatchOf(before, before)).toEqual({});
});

describe('the place of a path in the text', () => {
  const text = JSON.stringify(
    {
      name: 'a "steps": [',
      steps: [
        { id: 'x', needs: [] },
        { id: 'y', needs: ['x', 'z'], task: { title: 'steps' } },
      ],
    },
    null,
    2,
  );
  const at = (path: string) => text.slice(offsetOf(text, path));

  it('is where its value begins', () => {
    expect(at('name')).toMatch(/^"a \\"steps/);
    expect(at('steps')).toMatch(/^\[/);
    expect(at('steps.0')).toMatch(/^\{\s*"id": "x"/);
    expect(at('steps.1')).toMatch(/^\{\s*"id": "y"/);
    expect(at('steps.1.needs.1')).toMatch(/^"z"/);
    expect(at('steps.1.task.title')).toMatch(/^"steps"/);
  });

  it('is that of the enclosing value if the path does not exist', () => {
    expect(at('steps.1.role')).toMatch(/^\{\s*"id": "y"/);
    expect(at('steps.7')).toMatch(/^\[/);
    expect(offsetOf(text, 'gone')).toBe(0);
    expect(offsetOf('', 'steps.0')).toBe(0);
  });
});
