// In the place of `@ungap/structured-clone` (wrangler.toml), which does what the runtime does: 3 kB of the Worker.
export default structuredClone
