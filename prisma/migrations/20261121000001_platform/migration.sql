-- Time that is stored comes from here; tests replace the function to move it.
CREATE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT date_trunc('milliseconds', now()) $$;

-- The first ten characters of a ULID made at that moment: a bound for ranges over ids.
CREATE FUNCTION ulid_prefix(moment timestamptz) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> (5 * (9 - i))) & 31)::int + 1, 1), '' ORDER BY i)
  FROM (SELECT floor(extract(epoch FROM moment) * 1000)::bigint AS ms) AS t, generate_series(0, 9) AS i
$$;

CREATE TABLE "tenants" (
    "id" TEXT COLLATE "C" NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT app_now(),

    CONSTRAINT "tenants_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "tenants_slug_key" ON "tenants"("slug");

-- A fresh install has one tenant.
INSERT INTO "tenants" ("id", "slug", "name") VALUES ('tnt_00000000000000000000000000', 'default', 'Default');
