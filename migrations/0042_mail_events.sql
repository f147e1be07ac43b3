-- What the mail provider told of recipients since it took their messages, each by the last that counts.
ALTER TABLE emails ADD COLUMN delivered INTEGER NOT NULL DEFAULT 0;
ALTER TABLE emails ADD COLUMN bounced INTEGER NOT NULL DEFAULT 0;
ALTER TABLE emails ADD COLUMN complained INTEGER NOT NULL DEFAULT 0;
-- How many of them changed something.
ALTER TABLE emails ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
-- 1 soft bounce, 2 delivered, 3 hard bounce, 4 complaint: a later one counts where it is higher.
ALTER TABLE email_recipients ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
