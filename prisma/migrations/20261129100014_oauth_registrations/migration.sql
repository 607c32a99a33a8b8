-- Programs that registered themselves (RFC 7591) and that nobody has allowed anything yet: they belong to no tenant.
CREATE TABLE "oauth_registrations" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "redirect_uris" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT app_now(),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "oauth_registrations_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "oauth_registrations_expires_at_idx" ON "oauth_registrations"("expires_at");
-- Of a client that registered itself: when somebody took it into the tenant.
ALTER TABLE "oauth_clients" ADD COLUMN "registered_at" TIMESTAMPTZ(3);
