import { api, read } from '../api/client.ts';
import { SelectField, TextArea, TextField } from '../parts/field.tsx';
import { CreateForm } from '../resources/edit/create-form.tsx';
import { EditForm } from '../resources/edit/edit-form.tsx';
import { errorOf, type Texts } from '../resources/edit/versions.ts';
import { RoleField } from '../resources/names/role-filter.tsx';
import { priorities } from '../resources/task-words.ts';
import { projectQuery, type ReadProject } from './project-queries.ts';
import { bodyOf, type FieldName, labels, newProject, type ProjectTexts, textsOf } from './project-values.ts';
import styles from './projects.module.css';
import { RepositoryFields } from './git-fields.tsx';

const draft = 'new-project';

export function CreateProject({ onClose, onCreated }: { onClose: () => void; onCreated: (id: string) => void }) {
  return (
    <CreateForm
      title="Create a project"
      verb="Create"
      start={newProject}
      resource="projects"
      {...{ draft, onClose }}
      bodyOf={bodyOf}
      post={(body, header) => read(api.POST('/v1/projects', { body, params: { header } }))}
      done="Project created"
      onDone={({ id }) => onCreated(id)}
    >
      {(texts, errors) => <ProjectFields {...{ texts, errors }} />}
    </CreateForm>
  );
}

export function EditProject({ opened, onClose }: { opened: ReadProject; onClose: () => void }) {
  const { id } = opened.value;
  return (
    <EditForm
      title="Edit the project"
      resource="projects"
      opened={opened}
      query={projectQuery(id)}
      labels={labels}
      textsOf={textsOf}
      send={(form, { etag }) => {
        const params = { path: { project_id: id }, header: { 'If-Match': etag } };
        return read(api.PATCH('/v1/projects/{project_id}', { params, body: bodyOf(form) }));
      }}
      done="Project changed: agents get it with their next claim"
      onClose={onClose}
    >
      {(project, errors) => <ProjectFields texts={textsOf(project)} errors={errors} />}
    </EditForm>
  );
}

function ProjectFields({ texts, errors }: { texts: ProjectTexts; errors: Texts }) {
  const of = (name: FieldName, path: string = name) => ({
    name,
    label: labels[name],
    defaultValue: texts[name],
    error: errorOf(errors, path),
  });
  return (
    <>
      <TextField {...of('name')} maxLength={200} required />
      <TextArea {...of('description')} rows={2} />
      <RepositoryFields text={texts.repositories} errors={errors} />
      <TextField
        {...of('max_rework_rounds')}
        type="number"
        min={0}
        max={20}
        hint="How often checks, reviews and conflicts of a pull request send work back before a person decides."
        required
      />
      <fieldset className={styles['group']}>
        <legend>Defaults of new tasks</legend>
        <RoleField {...of('assigned_role', 'defaults.assigned_role')} hint="Of tasks that name none." />
        <SelectField {...of('priority', 'defaults.priority')}>
          <option value="">medium, if the task names none</option>
          {priorities.map((priority) => (
            <option key={priority}>{priority}</option>
          ))}
        </SelectField>
        <TextField {...of('tags', 'defaults.tags')} hint="Separated by commas. Of tasks that name none." />
      </fieldset>
    </>
  );
}
