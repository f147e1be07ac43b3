// Brings the people of another system into the workspace, once a night. People are known by their id in that system, so that a
// changed address changes the same person, and a repeated run changes nothing.
//   GROUNDWORK_URL, GROUNDWORK_KEY   address of the service, and a key with the scope `segments:write`
//   node nightly-people.ts people.json   a list of {id, email, firstName, lastName, plan}
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { createClient, GroundworkError } from 'groundwork-client'

interface Person {
  id: string | number
  email: string
  firstName?: string
  lastName?: string
  plan?: string | null
}

const [file = 'people.json'] = process.argv.slice(2)
const { GROUNDWORK_URL: url = 'http://localhost:8787', GROUNDWORK_KEY: key = '' } = process.env
const groundwork = createClient({ url, key })

// A few requests at once stay far below the limit of a key, 1,000 requests a minute.
const PARALLEL_REQUESTS = 4

const people = JSON.parse(readFileSync(file, 'utf8')) as Person[]
const failures: string[] = []

async function savePerson({ id, email, firstName, lastName, plan }: Person): Promise<void> {
  try {
    await groundwork.upsertMember({
      ...{ source: 'crm', externalId: String(id) },
      body: { email, firstName, lastName, attributes: { plan: plan ?? null } },
    })
  } catch (error) {
    // A person with a wrong address keeps nobody else back. Any other failure ends the run, and the next run repeats it.
    if (!(error instanceof GroundworkError && (error.code === 'validation_failed' || error.code === 'conflict')))
      throw error
    failures.push(`${id}: ${error.message}`)
  }
}

const queue = people.values()
await Promise.all(
  Array.from({ length: PARALLEL_REQUESTS }, async () => {
    for (const person of queue) await savePerson(person)
  }),
)
console.log(`${people.length - failures.length} of ${people.length} people are up to date.`)
for (const failure of failures) console.error(failure)
process.exitCode = failures.length ? 1 : 0
