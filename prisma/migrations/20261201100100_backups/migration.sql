-- The newest backup of the whole database by each tool that makes them, as its command or `backup:record` says. A row for a tool, and
-- no tenant. `taken_at`: the moment that the backup has.
CREATE TABLE "backups" (
  "tool" TEXT COLLATE "C" NOT NULL,
  "taken_at" TIMESTAMPTZ(3) NOT NULL DEFAULT app_now(),
  "bytes" BIGINT,

  CONSTRAINT "backups_pkey" PRIMARY KEY ("tool"),
  CONSTRAINT "backups_tool_check" CHECK (tool ~ '^[a-z0-9][a-z0-9_-]{0,39}$')
);
