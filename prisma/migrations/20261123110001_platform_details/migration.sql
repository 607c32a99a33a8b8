-- What the platform says of a task that our task has no field for.
ALTER TABLE "task_links" ADD COLUMN "details" JSONB NOT NULL DEFAULT '{}';

-- As tasks show it: names are read from the copies, so that a list that is renamed is so at once in all of its tasks.
CREATE VIEW "platform_task_view" AS
SELECT l.tenant_id, l.task_id, jsonb_strip_nulls(jsonb_build_object(
  'integration_id', nullif(l.integration_ref, 'unsigned'), 'id', l.external_id, 'status', l.platform_status,
  'list', CASE WHEN place.list IS NOT NULL THEN jsonb_build_object('id', place.list, 'name', left(list.data ->> 'name', 500)) END,
  'folder', CASE WHEN in_folder.id IS NOT NULL THEN jsonb_build_object('id', in_folder.id, 'name', left(folder.data ->> 'name', 500)) END,
  'space', CASE WHEN in_space.id IS NOT NULL THEN jsonb_build_object('id', in_space.id, 'name', left(space.data ->> 'name', 500)) END,
  'goal', CASE WHEN for_goal.id IS NOT NULL THEN jsonb_build_object('id', for_goal.id, 'name', left(goal.data ->> 'name', 500)) END,
  'key_result', CASE WHEN place.key_result IS NOT NULL
    THEN jsonb_build_object('id', place.key_result, 'name', left(key_result.data ->> 'name', 500)) END,
  'start_date', l.details -> 'start_date', 'time_estimate', l.details -> 'time_estimate',
  'time_spent', l.details -> 'time_spent',
  'assignees', (SELECT jsonb_agg(a - 'target') FROM jsonb_array_elements(l.details -> 'assignees') AS a),
  'custom_fields', nullif(l.details -> 'custom_fields', '[]')
)) AS platform
FROM task_links l
CROSS JOIN LATERAL (SELECT l.details ->> 'list' AS list, l.details ->> 'key_result' AS key_result) AS place
LEFT JOIN LATERAL (SELECT o.data FROM platform_objects o WHERE o.tenant_id = l.tenant_id
  AND o.integration_ref = l.integration_ref AND o.kind = 'list' AND o.external_id = place.list LIMIT 1) AS list ON true
LEFT JOIN LATERAL (SELECT o.data FROM platform_objects o WHERE o.tenant_id = l.tenant_id
  AND o.integration_ref = l.integration_ref AND o.kind = 'keyResult' AND o.external_id = place.key_result LIMIT 1)
  AS key_result ON true
CROSS JOIN LATERAL (SELECT coalesce(l.details ->> 'folder', list.data ->> 'folder_id') AS id) AS in_folder
LEFT JOIN LATERAL (SELECT o.data FROM platform_objects o WHERE o.tenant_id = l.tenant_id
  AND o.integration_ref = l.integration_ref AND o.kind = 'folder' AND o.external_id = in_folder.id LIMIT 1) AS folder ON true
CROSS JOIN LATERAL (
  SELECT coalesce(l.details ->> 'space', folder.data ->> 'space_id', list.data ->> 'space_id') AS id
) AS in_space
LEFT JOIN LATERAL (SELECT o.data FROM platform_objects o WHERE o.tenant_id = l.tenant_id
  AND o.integration_ref = l.integration_ref AND o.kind = 'space' AND o.external_id = in_space.id LIMIT 1) AS space ON true
CROSS JOIN LATERAL (SELECT coalesce(l.details ->> 'goal', key_result.data ->> 'goal_id') AS id) AS for_goal
LEFT JOIN LATERAL (SELECT o.data FROM platform_objects o WHERE o.tenant_id = l.tenant_id
  AND o.integration_ref = l.integration_ref AND o.kind = 'goal' AND o.external_id = for_goal.id LIMIT 1) AS goal ON true;
