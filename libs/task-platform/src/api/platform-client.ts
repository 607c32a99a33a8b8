import { type ApiParts, createApiCaller, type PlatformResponse } from '@eas/platform-calls';
import {
  platformComments,
  type PlatformListStatus,
  platformStatuses,
  platformTask,
  type PlatformTask,
  platformTaskPage,
  type PlatformTaskPage,
  platformTeams,
  type PostedComment,
  postedComment,
} from './platform-task.ts';

/** Moments in Unix milliseconds; both ends are left out. */
type PageQuery = { team: string; after: number; before: number; page: number };

/** Calls to the platform's API with the token of one integration. None throws; none repeats a request. */
export type PlatformClient = {
  readTask(id: string): Promise<PlatformResponse<PlatformTask>>;
  setStatus(id: string, status: string): Promise<PlatformResponse<PlatformTask>>;
  postComment(id: string, text: string): Promise<PlatformResponse<PostedComment>>;
  /** The newest of them. */
  readComments(id: string): Promise<PlatformResponse<{ id: string; text: string; date: number | null }[]>>;
  readStatuses(listId: string): Promise<PlatformResponse<PlatformListStatus[]>>;
  readTeams(): Promise<PlatformResponse<string[]>>;
  /** Tasks by the date of their last change, the oldest first, closed ones and subtasks too. */
  readPage(query: PageQuery): Promise<PlatformResponse<PlatformTaskPage>>;
};

/** Opens the platform's API for a token, which travels in the header of each call and nowhere else. */
export type OpenPlatform = (token: string, signal?: AbortSignal) => PlatformClient;

export function createPlatformApi(parts: ApiParts): OpenPlatform {
  return (token, signal) => {
    const headers = { authorization: token, accept: 'application/json' };
    const call = createApiCaller(parts, { token, headers, signal });
    const taskPath = (id: string) => `/task/${encodeURIComponent(id)}`;
    return {
      readTask: (id) => call('GET', taskPath(id), platformTask),
      setStatus: (id, status) => call('PUT', taskPath(id), platformTask, { status }),
      postComment: async (id, text) => {
        const body = { comment_text: text, notify_all: false };
        const posted = await call('POST', `${taskPath(id)}/comment`, postedComment, body);
        if (posted.kind !== 'ok') return posted;
        return { ...posted, value: { id: posted.value.id, date: posted.value.date ?? null } };
      },
      readComments: (id) => call('GET', `${taskPath(id)}/comment`, platformComments),
      readStatuses: (listId) => call('GET', `/list/${encodeURIComponent(listId)}`, platformStatuses),
      readTeams: () => call('GET', '/team', platformTeams),
      readPage: ({ team, after, before, page }) => call('GET', pagePath(team, after, before, page), platformTaskPage),
    };
  };
}

function pagePath(team: string, after: number, before: number, page: number): string {
  const query = new URLSearchParams({
    date_updated_gt: String(after),
    date_updated_lt: String(before),
    page: String(page),
    order_by: 'updated',
    reverse: 'true',
    include_closed: 'true',
    subtasks: 'true',
  });
  return `/team/${encodeURIComponent(team)}/task?${query.toString()}`;
}
