-- The live leases of an agent, and no claim key twice among them. Claims without a key have none that could be equal.
CREATE UNIQUE INDEX CONCURRENTLY "leases_agent_claim_key" ON "leases" ("tenant_id", "agent_id", "claim_key") WHERE ended_at IS NULL;
