import { describe, expect, it } from '@jest/globals';
import { readAnalyticsSearch } from './analytics-search.ts';
import { csvOf } from './csv.ts';

describe('the address', () => {
  it('keeps a valid period and role and ignores the rest', () => {
    expect(readAnalyticsSearch({ period: 'week', role: 'rd', x: 1 })).toEqual({ period: 'week', role: 'rd' });
    expect(readAnalyticsSearch({ period: 'decade', role: '<b>' })).toEqual({});
  });
});

describe('the CSV', () => {
  const tasks = {
    total: 4,
    completed: 3,
    in_progress: 1,
    overdue: 0,
    completion_rate: 0.75,
    avg_completion_time: '2.5h',
    avg_completion_seconds: 9_000,
  };
  const idle = {
    tasks_completed: 0,
    avg_completion_time: '0h',
    avg_completion_seconds: null,
    scores: { code_quality: null, requirements_clarity: null },
  };
  const figures = { period: 'day', date_range: { start: 'a', end: 'b' }, tasks } as const;

  it('has a line for each figure that is known, times in hours, and scores where a role has them', () => {
    const scores = { code_quality: 90, requirements_clarity: null };
    const agents = {
      rd: { tasks_completed: 3, avg_completion_time: '2.5h', avg_completion_seconds: 9_000, code_quality: 90, scores },
      pm: { ...idle, requirements_clarity: 0 },
    };
    expect(csvOf({ ...figures, agents }).split('\r\n')).toEqual([
      'period,start,end,role,metric,value',
      'day,a,b,,total,4',
      'day,a,b,,completed,3',
      'day,a,b,,in_progress,1',
      'day,a,b,,overdue,0',
      'day,a,b,,completion_rate,0.75',
      'day,a,b,,avg_completion_time_hours,2.5',
      'day,a,b,rd,tasks_completed,3',
      'day,a,b,rd,code_quality,90',
      'day,a,b,rd,avg_completion_time_hours,2.5',
      'day,a,b,pm,tasks_completed,0',
      '',
    ]);
  });

  it('has the figures of each hour or day after them', () => {
    const point = { at: 'x', created: 2, completed: 1, late: 0, failed: 0, avg_completion_seconds: null };
    const text = csvOf({ ...figures, agents: {} }, { interval: 'day', points: [point] });
    expect(text.split('\r\n').slice(-6)).toEqual([
      'day,x,,,created,2',
      'day,x,,,completed,1',
      'day,x,,,late,0',
      'day,x,,,failed,0',
      'day,x,,,avg_completion_seconds,',
      '',
    ]);
  });

  it('quotes what would break a line, and escapes formulas', () => {
    const agents = { '=a,"b"': idle };
    expect(csvOf({ ...figures, agents })).toContain(`b,"'=a,""b""",tasks_completed,0\r\n`);
  });
});
