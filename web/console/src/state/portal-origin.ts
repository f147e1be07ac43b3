/** Origin of portals without a domain of their own. */
export const portalOrigin = document.body.dataset.portalOrigin || location.origin
