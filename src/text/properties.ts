// Replaces `property-information` (see wrangler.toml) without the attributes of SVG, because the sanitizer removes all
// SVG elements. Saves 10 kB of the Worker.
import { aria } from '../../node_modules/property-information/lib/aria.js'
import { html as ofHtml } from '../../node_modules/property-information/lib/html.js'
import { merge } from '../../node_modules/property-information/lib/util/merge.js'
import { xlink } from '../../node_modules/property-information/lib/xlink.js'
import { xml } from '../../node_modules/property-information/lib/xml.js'
import { xmlns } from '../../node_modules/property-information/lib/xmlns.js'

export { find } from '../../node_modules/property-information/lib/find.js'
export { normalize } from '../../node_modules/property-information/lib/normalize.js'

export const html = merge([aria, ofHtml, xlink, xmlns, xml], 'html')
export const svg = html
