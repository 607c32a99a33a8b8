-- Room for the next version of a row in its page, as rows are at most 2 KB: a claim and a completion then write to WAL only
-- what they change, and progress needs no index entries. Full pages stay as they are.
ALTER TABLE "tasks" SET (fillfactor = 70);
