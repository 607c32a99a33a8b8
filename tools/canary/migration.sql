-- Kept broken: tools/check-migrations.ts must find each of these.
DROP TABLE "tasks";
ALTER TABLE "tasks" DROP COLUMN "title";
ALTER TABLE "tasks" RENAME COLUMN "title" TO "name";
ALTER TABLE "tasks" ALTER COLUMN "rank" TYPE bigint;
ALTER TABLE "tasks" ALTER COLUMN "title" SET NOT NULL;
ALTER TABLE "tasks" ADD COLUMN "kind" TEXT NOT NULL;
ALTER TABLE "tasks" ADD CONSTRAINT "positive" CHECK (rank > 0);
CREATE INDEX "by_title" ON "tasks" ("title");
CREATE INDEX CONCURRENTLY "by_rank" ON "tasks" ("rank");
