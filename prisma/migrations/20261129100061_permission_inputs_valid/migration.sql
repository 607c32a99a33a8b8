-- Every row has passed the narrower list before, and has none of the new columns. Writes go on while this reads them.
ALTER TABLE "inputs" VALIDATE CONSTRAINT "inputs_kind_check";
ALTER TABLE "inputs" VALIDATE CONSTRAINT "inputs_form_check";
ALTER TABLE "inputs" VALIDATE CONSTRAINT "inputs_permission_check";
ALTER TABLE "inputs" VALIDATE CONSTRAINT "inputs_used_check";
