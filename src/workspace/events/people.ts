/** What a record shows of a person. */
export interface Person {
  firstName: string
  lastName: string
  email: string
}

// What `personal` (src/db/field.ts) leaves in the log: a quote before an escaped NUL begins a string of JSON, and no
// text of a user holds a NUL.
const PLACE = /"\\u0000(firstName|lastName|email)"/g

/** An event's data as JSON, with the person's name and address in their places: empty ones where nobody is there. */
export function withPerson(data: string, person: Person): string {
  return data.replace(PLACE, (_, what: keyof Person) => JSON.stringify(person[what]))
}

/** What changed, as JSON. The log does not keep what a person was called before: null. */
export function withoutPeople(previous: string): string {
  return previous.replace(PLACE, 'null')
}
