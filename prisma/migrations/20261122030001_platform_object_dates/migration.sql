-- Each field of a copy has a date of its own, so that copies end the same in whatever order the news comes. The fields
-- of copies from before are as old as the copy.
ALTER TABLE "platform_objects" ADD COLUMN "field_dates" JSONB NOT NULL DEFAULT '{}';
