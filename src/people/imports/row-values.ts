import { storedValueAt } from '../../workspace/imports/statements'

// The order of the values that the import stores for each row.
export const importedEmail = storedValueAt(2)
export const importedFirstName = storedValueAt(3)
export const importedLastName = storedValueAt(4)
export const importedRole = storedValueAt(5)
export const importedAttributes = storedValueAt(6)
export const importedSource = storedValueAt(7)
export const importedExternalId = storedValueAt(8)
export const importedCreatedAt = storedValueAt(9)
/** 1 if the row says that the person gets no mail. */
export const importedRefusal = storedValueAt(11)
