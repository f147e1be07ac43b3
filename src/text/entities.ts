// Replaces `character-entities-html4` and `character-entities-legacy` (see wrangler.toml), because character references
// are written as numbers. Saves 5 kB of the Worker.
export const characterEntitiesHtml4 = {}
export const characterEntitiesLegacy = []
