/**
 * The days in which a card was found. Of cards that are there, they are the 28 to the newest day with an answer, or to the
 * day on which the card was made where that is earlier.
 */
export const foundDays = `
ALTER TABLE cards ADD COLUMN found_from TEXT NOT NULL DEFAULT '';
ALTER TABLE cards ADD COLUMN found_to TEXT NOT NULL DEFAULT '';
UPDATE cards SET found_to = min(
  substr(created_at, 1, 10),
  coalesce((SELECT max(day) FROM scans WHERE scans.site_id = cards.site_id), substr(created_at, 1, 10))
);
UPDATE cards SET found_from = date(found_to, '-27 days');
`
