import { PageHead } from '../parts/page-head.tsx';

export const InboxPage = () => <PageHead title="Inbox" />;
