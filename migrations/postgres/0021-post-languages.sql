-- Posts of a language, newest first. The first part of a tag has two or three letters: `en` of `en-GB`, `fil` of `fil`.
CREATE INDEX posts_by_language ON posts (podcast_id, rtrim(substr(language, 1, 3), '-'), created_at, id)
  WHERE language IS NOT NULL;
