/** Source of the ids by which a second import of an own export finds its items. Exports leave these ids out. */
export const OWN_EXPORT_SOURCE = 'groundwork-export'
