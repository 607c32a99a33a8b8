-- A pull request as the newest event about it shows it. What only checks have named so far has no state yet.
CREATE TABLE "pull_requests" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "integration_ref" TEXT COLLATE "C" NOT NULL,
    "repository" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "state" TEXT,
    "title" TEXT,
    "url" TEXT,
    "author" TEXT,
    "branch" TEXT,
    "head_sha" TEXT COLLATE "C",
    "dated_at" TIMESTAMPTZ(3),
    "checks" JSONB NOT NULL DEFAULT '{}',
    "task_id" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pull_requests_pkey" PRIMARY KEY ("tenant_id","integration_ref","repository","number")
);
ALTER TABLE "pull_requests"
  ADD CONSTRAINT "pull_requests_state_check" CHECK (state IN ('open', 'closed', 'merged')),
  ADD CONSTRAINT "pull_requests_known_check" CHECK ((state IS NULL) = (dated_at IS NULL)
    AND (state IS NULL OR num_nulls(title, url, author, branch) = 0)),
  ADD CONSTRAINT "pull_requests_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD CONSTRAINT "pull_requests_tenant_id_task_id_fkey" FOREIGN KEY ("tenant_id", "task_id") REFERENCES "tasks"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
-- Checks name a commit.
CREATE INDEX "pull_requests_tenant_id_integration_ref_repository_head_sha_idx" ON "pull_requests"("tenant_id", "integration_ref", "repository", "head_sha");
CREATE INDEX "pull_requests_tenant_id_task_id_idx" ON "pull_requests"("tenant_id", "task_id");

-- What happened to a pull request: each once, whatever comes again. Unpublished: something is not known yet that its event needs.
CREATE TABLE "pull_request_stages" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "integration_ref" TEXT COLLATE "C" NOT NULL,
    "repository" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "stage" TEXT COLLATE "C" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "data" JSONB NOT NULL,
    "published_at" TIMESTAMPTZ(3),

    CONSTRAINT "pull_request_stages_pkey" PRIMARY KEY ("tenant_id","integration_ref","repository","number","stage")
);
ALTER TABLE "pull_request_stages" ADD CONSTRAINT "pull_request_stages_pull_request_fkey" FOREIGN KEY ("tenant_id", "integration_ref", "repository", "number") REFERENCES "pull_requests"("tenant_id", "integration_ref", "repository", "number") ON DELETE RESTRICT ON UPDATE CASCADE;

-- An artifact that a source host reports belongs to no lease.
ALTER TABLE "artifacts" ALTER COLUMN "lease_id" DROP NOT NULL, ALTER COLUMN "agent_id" DROP NOT NULL;
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_agent_check" CHECK ((lease_id IS NULL) = (agent_id IS NULL));
CREATE UNIQUE INDEX "artifacts_linked_key" ON "artifacts" ("tenant_id", "task_id", md5("url")) WHERE agent_id IS NULL;
