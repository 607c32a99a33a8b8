/** What a new definition begins with: two steps that can be saved as they are. */
export const emptyDefinition = {
  name: 'New workflow',
  description: 'What it is for.',
  estimated_duration: '1-2 days',
  parameters: { goal: { type: 'string', required: true, description: 'What is wanted.' } },
  steps: [
    {
      id: 'build',
      name: 'Build it',
      role: 'rd',
      task: {
        title: 'Build: {{parameters.goal}}',
        description: 'Build {{parameters.goal}} and say how it was tested.',
      },
    },
    {
      id: 'check',
      name: 'Check it',
      role: 'qa',
      needs: ['build'],
      approval: { person: true },
      task: { title: 'Check: {{parameters.goal}}', description: 'Check that {{parameters.goal}} works.' },
    },
  ],
};
