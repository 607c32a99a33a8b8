-- Events of a type, in the order of the list: a rare one is found, and counted, without reading the others.
CREATE INDEX "events_tenant_id_event_type_event_id_idx" ON "events"("tenant_id", "event_type", "event_id");
