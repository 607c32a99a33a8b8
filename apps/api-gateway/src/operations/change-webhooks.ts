import type { AuditRecord } from '@eas/access';
import type { UseCaseContext } from '@eas/db';
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  disableByHand,
  type EndpointAction,
  type EndpointChange,
  enableByHand,
  type EndpointPatch,
  type EndpointRules,
  maskedUrl,
  rotateSecret,
} from '@eas/webhooks';
import { audited } from './audited.ts';

const shownOf = ({ body, version }: EndpointChange) => ({ body, version });

export const createWebhook = (
  ctx: UseCaseContext,
  input: Parameters<typeof createEndpoint>[1],
  rules: EndpointRules,
): ReturnType<typeof createEndpoint> =>
  audited(
    ctx,
    (inner) => createEndpoint(inner, input, rules),
    ({ id, url, events, header_names: headers }) => ({
      action: 'webhook.created',
      target: id,
      data: { url: maskedUrl(url), events, header_names: headers },
    }),
  );

export async function changeWebhook(ctx: UseCaseContext, patch: EndpointPatch, rules: EndpointRules) {
  const { headers, ...open } = patch.body;
  const changed = await audited(
    ctx,
    (inner) => changeEndpoint(inner, patch, rules),
    ({ body, isChanged }) => {
      if (!isChanged) return undefined;
      const said = open.url === undefined ? open : { ...open, url: maskedUrl(body.url) };
      const data = headers === undefined ? said : { ...said, header_names: body.header_names };
      return { action: 'webhook.changed', target: patch.id, data };
    },
  );
  return shownOf(changed);
}

export const deleteWebhook = (ctx: UseCaseContext, action: EndpointAction): Promise<void> =>
  audited(
    ctx,
    (inner) => deleteEndpoint(inner, action),
    () => ({ action: 'webhook.deleted', target: action.id }),
  );

export const rotateWebhookSecret = (
  ctx: UseCaseContext,
  action: Parameters<typeof rotateSecret>[1],
  rules: EndpointRules,
): ReturnType<typeof rotateSecret> =>
  audited(
    ctx,
    (inner) => rotateSecret(inner, action, rules),
    () => ({ action: 'webhook.rotated', target: action.id }),
  );

/** A change to the present state leaves no entry. */
const switching =
  (work: typeof enableByHand, name: AuditRecord['action']) => async (ctx: UseCaseContext, action: EndpointAction) =>
    shownOf(
      await audited(
        ctx,
        (inner) => work(inner, action),
        ({ isChanged }) => (isChanged ? { action: name, target: action.id } : undefined),
      ),
    );

export const enableWebhook = switching(enableByHand, 'webhook.enabled');
export const disableWebhook = switching(disableByHand, 'webhook.disabled');
