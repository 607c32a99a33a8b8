import { describe, expect, it } from '@jest/globals';
import { type Exception, exceptions, type Finding, unexplained } from './exceptions.ts';

const limit = 'CKV_K8S_11: CPU limits should be set';
const finding: Finding = { scanner: 'checkov', check: limit, rendering: 'the chart', object: 'Job eas-migrate' };
const exception: Exception = { checks: { checkov: [limit] }, reason: 'None has one.' };

describe('unexplained', () => {
  it('reports a finding without an exception, with its rendering and object', () => {
    expect(unexplained([finding], [])).toEqual([`the chart, Job eas-migrate: ${limit} (checkov)`]);
  });

  it('reports nothing where each finding has its exception and each exception a finding', () => {
    expect(unexplained([finding, { ...finding, object: 'Job eas-command' }], [exception])).toEqual([]);
  });

  it('takes an exception of one scanner for that scanner alone', () => {
    const other: Finding = { ...finding, scanner: 'kube-score' };
    expect(unexplained([finding, other], [exception])).toEqual([`the chart, Job eas-migrate: ${limit} (kube-score)`]);
  });

  it('takes an exception for some objects for these alone', () => {
    const command: Finding = { ...finding, object: 'Job eas-command' };
    const only = { ...exception, only: /chart, Job eas-migrate$/ };
    expect(unexplained([finding, command], [only])).toEqual([`the chart, Job eas-command: ${limit} (checkov)`]);
  });

  it('reports an exception that no finding needs any more', () => {
    const stale = [`checkov finds nothing for the exception "${limit}"`];
    expect(unexplained([], [exception])).toEqual(stale);
    expect(unexplained([finding], [{ ...exception, only: /Deployment/ }])).toContain(stale[0]);
  });
});

describe('exceptions', () => {
  it('each say why', () => {
    for (const { reason } of exceptions) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
  });
});
