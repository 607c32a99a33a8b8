-- A process that sees agents: as long as it lives, whom it sees is there, without a write for each of them.
CREATE TABLE "agent_watchers" (
    "id" TEXT NOT NULL,
    "alive_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_watchers_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "agents" ADD COLUMN "seen_by" TEXT;
