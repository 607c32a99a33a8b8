-- Tenants that registered an endpoint: the relay puts public events of the others before nobody.
CREATE TABLE "subscribed_tenants" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "subscribed_tenants_pkey" PRIMARY KEY ("tenant_id")
);
INSERT INTO "subscribed_tenants" ("tenant_id") SELECT DISTINCT "tenant_id" FROM "endpoints";
