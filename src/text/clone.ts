// Replaces `@ungap/structured-clone` (see wrangler.toml) by the runtime's own function and saves 3 kB of the Worker.
export default structuredClone
