import { describe, expect, it } from '@jest/globals';
import { isCodeAsked, missingKinds, projectOf } from './claim.ts';

describe('what a claim asks for', () => {
  it.each([
    ['no acceptance rules', null, null, true],
    ['rules without artifacts', { review: { role: 'qa' } }, null, true],
    ['a commit', { artifacts: ['link', 'commit'] }, null, true],
    ['a link alone', { artifacts: ['link'] }, null, false],
    ['no artifact at all', { artifacts: [] }, null, false],
    ['a review of the work of others', null, { task_id: 'tsk_2' }, false],
  ])('with %s', (_title, contract, parent, isAsked) => expect(isCodeAsked({ contract, parent })).toBe(isAsked));

  it('has what is required and was never attached as missing', () => {
    const context = { contract: { artifacts: ['commit', 'link', 'file'] }, artifacts: [{ kind: 'link', title: null }] };
    expect(missingKinds(context, ['commit'])).toEqual(['file']);
    expect(missingKinds({ ...context, contract: null }, [])).toEqual([]);
  });

  it('has no project without repositories, and none that it cannot read', () => {
    expect(projectOf({})).toBeUndefined();
    expect(projectOf({ project: null })).toBeUndefined();
    expect(projectOf({ project: { id: 'prj_1', name: 'Shop', repositories: [] } })).toBeUndefined();
    expect(() => projectOf({ project: { repositories: 'web' } })).toThrow('cannot read');
  });
});
