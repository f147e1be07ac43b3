-- What a mailing says to all of its recipients alike: a JSON object of texts, or NULL.
ALTER TABLE emails ADD COLUMN variables TEXT;
