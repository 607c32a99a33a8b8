-- How the agents of a role work: instructions, model, skills, tools and checks.
CREATE TABLE "profiles" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "settings" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "profiles_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE UNIQUE INDEX "profiles_tenant_id_name_key" ON "profiles"("tenant_id", "name");
ALTER TABLE "profiles"
  ADD CONSTRAINT "profiles_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What its settings were: a row for each version that changed them, the newest hundred.
CREATE TABLE "profile_versions" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "profile_id" TEXT COLLATE "C" NOT NULL,
    "version" INTEGER NOT NULL,
    "settings" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" TEXT NOT NULL,

    CONSTRAINT "profile_versions_pkey" PRIMARY KEY ("tenant_id","profile_id","version")
);
ALTER TABLE "profile_versions"
  ADD CONSTRAINT "profile_versions_tenant_id_profile_id_fkey" FOREIGN KEY ("tenant_id", "profile_id") REFERENCES "profiles"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Whose profile it is: `agent:` and an id, or `role:` and a name. Its key is why each has one profile.
CREATE TABLE "profile_holders" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "holder" TEXT COLLATE "C" NOT NULL,
    "profile_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "profile_holders_pkey" PRIMARY KEY ("tenant_id","holder")
);
CREATE INDEX "profile_holders_tenant_id_profile_id_idx" ON "profile_holders"("tenant_id", "profile_id");
ALTER TABLE "profile_holders"
  ADD CONSTRAINT "profile_holders_tenant_id_profile_id_fkey" FOREIGN KEY ("tenant_id", "profile_id") REFERENCES "profiles"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

SELECT plan_for_largest_tenant('profiles'), plan_for_largest_tenant('profile_versions'), plan_for_largest_tenant('profile_holders');
