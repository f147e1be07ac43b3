-- A release can be taken back until its mail leaves.
ALTER TABLE solution_versions ADD COLUMN planned_status TEXT; -- status before the release
ALTER TABLE solution_versions ADD COLUMN planned_release_date INTEGER; -- release date before the release
ALTER TABLE solution_versions ADD COLUMN revocable_until INTEGER;
