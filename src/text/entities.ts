// In the place of `character-entities-html4` and `character-entities-legacy` (wrangler.toml), for names of characters
// that are written as numbers: 5 kB of the Worker.
export const characterEntitiesHtml4 = {}
export const characterEntitiesLegacy = []
