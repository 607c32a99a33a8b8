-- A known text sealed by each key that was ever first in ENCRYPTION_KEY: tells at boot whether the keys are the data's.
CREATE TABLE "encryption_canaries" (
    "key_id" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT app_now(),

    CONSTRAINT "encryption_canaries_pkey" PRIMARY KEY ("key_id")
);
