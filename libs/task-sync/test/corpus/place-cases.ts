import { body, type CorpusCase, created, item, pair } from './bodies.ts';

const list = (id: string, name: string, folder: object = { id: 'f0', name: 'hidden', hidden: true }) => ({
  id,
  name,
  category: folder,
  project: { id: 's1', name: 'Space' },
});
const dropDown = {
  id: 'cf1',
  name: 'Period',
  type: 'drop_down',
  type_config: {
    options: [
      { id: 'o1', name: 'Monthly' },
      { id: 'o2', name: 'Yearly' },
    ],
  },
};

export const placeCases: CorpusCase[] = [
  {
    title: 'a moved task shows its list and space by name',
    bodies: [
      created(),
      ...pair('taskMoved', item('section_moved', 20, { before: list('l1', 'Old'), after: list('l2', 'New') })),
    ],
    end: { platform: { list: { id: 'l2', name: 'New' }, space: { id: 's1', name: 'Space' } } },
  },
  {
    title: 'a task moved into a folder and on',
    bodies: [
      created({ list_id: 'l1' }),
      ...pair('taskMoved', item('section_moved', 20, { after: list('l2', 'Two', { id: 'f1', name: 'Folder' }) })),
      ...pair('taskMoved', item('section_moved', 30, { after: list('l3', 'Three', { id: 'f1', name: 'Folder 1' }) })),
    ],
    end: { platform: { list: { id: 'l3', name: 'Three' }, folder: { id: 'f1', name: 'Folder 1' } } },
  },
  {
    title: 'ids of the event, named by the copies that their own events keep',
    bodies: [
      created({ list_id: 'l7', key_result_id: 'k7' }),
      {
        event: 'listUpdated',
        list_id: 'l7',
        folder_id: 'f7',
        history_items: [{ field: 'name', date: 20, after: 'L' }],
      },
      {
        event: 'folderUpdated',
        folder_id: 'f7',
        space_id: 's7',
        history_items: [{ field: 'name', date: 20, after: 'F' }],
      },
      { event: 'spaceUpdated', space_id: 's7', history_items: [{ field: 'name', date: 20, after: 'S' }] },
      {
        event: 'keyResultUpdated',
        key_result_id: 'k7',
        goal_id: 'g7',
        history_items: [{ field: 'name', date: 20, after: 'K' }],
      },
      { event: 'goalUpdated', goal_id: 'g7', history_items: [{ field: 'name', date: 20, after: 'G' }] },
      { event: 'listUpdated', list_id: 'l7', history_items: [{ field: 'name', date: 30, before: 'L', after: 'List' }] },
    ],
    end: {
      platform: {
        list: { id: 'l7', name: 'List' },
        folder: { id: 'f7', name: 'F' },
        space: { id: 's7', name: 'S' },
        key_result: { id: 'k7', name: 'K' },
        goal: { id: 'g7', name: 'G' },
      },
    },
  },
  {
    title: 'times: estimated, estimated again, tracked by its total',
    bodies: [
      created(),
      ...pair('taskTimeEstimateUpdated', item('time_estimate', 20, { before: null, after: '5400000' })),
      ...pair('taskTimeEstimateUpdated', item('time_estimate', 21, { before: '5400000', after: 7200000 })),
      {
        ...body(
          'taskTimeTrackedUpdated',
          item('time_spent', 22, { after: { id: 'i1', time: '900000' }, data: { total_time: '900000' } }),
        ),
        data: { description: 'Time Tracking Created', interval_id: 'i1' },
      },
      {
        ...body(
          'taskTimeTrackedUpdated',
          item('time_spent', 23, { after: { id: 'i2', time: '900000' }, data: { total_time: 1800000 } }),
        ),
        data: { description: 'Time Tracking Created', interval_id: 'i2' },
      },
    ],
    end: { description: '', platform: { time_estimate: '2h', time_spent: '0.5h' } },
  },
  {
    title: 'start dates, set and cleared',
    bodies: [
      created(),
      body('taskUpdated', item('start_date', 20, { before: null, after: '1643608800000' })),
      body('taskUpdated', item('start_date', 21, { before: '1643608800000', after: null })),
      body('taskUpdated', item('start_date', 22, { after: '2026-12-01' })),
    ],
    end: { platform: { start_date: '2026-12-01T00:00:00Z' } },
  },
  {
    title: 'custom fields by the names of their options, each for itself',
    bodies: [
      created(),
      body('taskUpdated', item('custom_field', 20, { after: 'o1', custom_field: dropDown })),
      body('taskUpdated', item('custom_field', 21, { after: 'o2', custom_field: dropDown })),
      body('taskUpdated', item('custom_field', 22, { after: 7, custom_field: { id: 'cf2', name: 'Points' } })),
      body(
        'taskUpdated',
        item('custom_field', 23, { after: [sam(), 'text'], custom_field: { id: 'cf3', name: 'People' } }),
      ),
      body('taskUpdated', item('custom_field', 24, { after: null, custom_field: { id: 'cf2', name: 'Points' } })),
    ],
    end: {
      platform: {
        custom_fields: [
          { id: 'cf1', name: 'Period', value: 'Yearly' },
          { id: 'cf3', name: 'People', value: 'Sam, text' },
        ],
      },
    },
  },
];

function sam() {
  return { id: 184, username: 'Sam' };
}
