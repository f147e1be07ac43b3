export interface EventPerson {
  firstName: string
  lastName: string
  email: string
}

// Placeholder of `personalField` (src/db/sql/field.ts). User texts contain no NUL, and a quote before an escaped NUL
// always begins a placeholder.
const PERSON_PLACEHOLDER_PATTERN = /"\\u0000(firstName|lastName|email)"/g

export function fillInPerson(data: string, person: EventPerson): string {
  return data.replace(PERSON_PLACEHOLDER_PATTERN, (_, what: keyof EventPerson) => JSON.stringify(person[what]))
}

/** The log keeps no former names. */
export function clearPeople(previous: string): string {
  return previous.replace(PERSON_PLACEHOLDER_PATTERN, 'null')
}
