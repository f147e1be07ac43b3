-- Whose name and address an event leaves out: a reader fills them in while the person is there.
ALTER TABLE events ADD COLUMN person_id INTEGER;
