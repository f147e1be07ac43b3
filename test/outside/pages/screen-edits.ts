// How a screen edits one record: the form, its field, its button and where the API has the text.
import type { Locator, Page } from 'playwright-core'
import type { ScreenRecords } from './screen-records.ts'
import { call } from './session.ts'

export type Sample = ScreenRecords

interface Stored {
  path: string
  field: string
  /** The text of the field for words, where the field does not take any text. */
  toText?: (words: string) => string
  /** The text as the record has it. */
  toStored?: (text: string) => string
  /** Body of a change by another program. */
  change?: (text: string) => object
}

export interface Edit {
  /** Opens the form. Absent where the form is always there. */
  open?: (page: Page) => Promise<void>
  field: (page: Page) => Locator
  save: (page: Page) => Promise<void>
  /** The field saves when the focus leaves it. */
  savesOnLeave: boolean
  stored: Stored
}

/** A field that the Enter key or a button of the page saves. */
export const inField = (name: string, stored: Stored, button?: string): Omit<Edit, 'open'> => {
  const field = (page: Page) => page.getByRole('textbox', { name, exact: true })
  const save = (page: Page) =>
    button === undefined
      ? field(page).press('Enter')
      : page.getByRole('button', { name: button, exact: true }).last().click()
  return { field, save, stored, savesOnLeave: button === undefined }
}

/** A form that a button opens and another saves. */
export const inDialog = (
  open: string | RegExp,
  name: string,
  button: string,
  stored: Stored,
  within: (page: Page) => Page | Locator = (page) => page,
): Edit => ({
  ...inField(name, stored, button),
  open: (page) => within(page).getByRole('button', { name: open, exact: true }).first().click(),
})

export const textOf = ({ stored }: Edit, words: string): string => stored.toText?.(words) ?? words

export async function isStored({ stored }: Edit, text: string): Promise<boolean> {
  const record = await call<Record<string, unknown>>('GET', stored.path)
  const value = record[stored.field]
  const expected = stored.toStored?.(text) ?? text
  return typeof value === 'string' ? value === expected : JSON.stringify(value).includes(JSON.stringify(expected))
}

/** Changes the field as somebody else. */
export async function changeElsewhere({ stored }: Edit, text: string): Promise<void> {
  await call('PUT', stored.path, stored.change?.(text) ?? { [stored.field]: text })
}

/** Opens the form and types, without saving. */
export async function type(page: Page, edit: Edit, text: string): Promise<void> {
  await edit.open?.(page)
  await edit.field(page).fill(text)
}
