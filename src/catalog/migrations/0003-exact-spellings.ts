/** Spellings of a brand whose case counts: some of its name and aliases, as they stand there. */
export const exactSpellings = `
ALTER TABLE sites ADD COLUMN exact TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(exact));
ALTER TABLE competitors ADD COLUMN exact TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(exact));
`
