// In the place of `debug` (wrangler.toml), which one library asks for and nothing turns on: 3 kB of the Worker.
export default () => () => {}
