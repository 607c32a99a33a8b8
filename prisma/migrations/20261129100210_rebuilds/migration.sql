-- Whether the recount also corrects what differs: a rebuild, which an operator has started.
ALTER TABLE "analytics_recounts" ADD COLUMN "corrects" BOOLEAN NOT NULL DEFAULT false;
