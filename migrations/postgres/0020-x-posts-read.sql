-- How many posts X returned to a user's key on a day (UTC, days since 1970). X bills them, so they count also when none
-- was stored.
CREATE TABLE x_posts_read (
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  day BIGINT NOT NULL,
  posts BIGINT NOT NULL,
  PRIMARY KEY (user_id, day)
);
CREATE INDEX x_posts_read_by_day ON x_posts_read (day);
