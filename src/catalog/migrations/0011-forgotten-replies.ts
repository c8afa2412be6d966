/**
 * Raw replies of engines that were deleted from the lake, and are to go from the files that keep them. The rows refer to
 * nothing: those of a deleted site stay until its files are gone. `what` is JSON (`domain/forgotten-replies.ts`).
 */
export const forgottenReplies = `
CREATE TABLE forgotten_replies (
  forgotten_no INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  what TEXT NOT NULL
) STRICT;
`
