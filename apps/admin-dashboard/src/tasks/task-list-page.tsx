import { PageHead } from '../parts/page-head.tsx';

export const TaskListPage = () => <PageHead title="Tasks" />;
