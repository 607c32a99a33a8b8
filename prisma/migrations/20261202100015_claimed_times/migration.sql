-- Times for which one process does some work. Another one finds its row.
CREATE UNLOGGED TABLE "claimed_times" (
  "name" TEXT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "claimed_times_pkey" PRIMARY KEY ("name", "at")
);
CREATE INDEX "claimed_times_at_idx" ON "claimed_times" ("at");
