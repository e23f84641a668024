import { verbatim } from '@campus/engine/base/languages/say'
import { malformed } from '@campus/engine/errors'
import type { EncodedAnswer } from '@campus/engine/rest/encoded-answer'
import { isDoneAnew, takesPayload } from '@campus/engine/rest/route-table'
import { type Arguments, readObject, readText, requireChoice } from './arguments.ts'
import { fitted } from './fit.ts'
import { namingSchemas, readNamed } from './naming.ts'
import type { Places } from './places.ts'
import { inputSchema, jsonOf, ONLY_DATA, type Tool, type ToolAnswer } from './tool.ts'

const MAX_KEY = 255

const ONCE = {
  type: 'string',
  maxLength: MAX_KEY,
  description: 'A word of your own: the same call with the same one within a day is answered again and not done again.',
}

const ASK_FIRST = 'It changes the records of a school: do it only when the person has asked for exactly this.'

/** The tools that change records, which need the acting scope. */
export const actingTools = (places: Places): readonly Tool[] => [
  createRecord(places),
  updateRecord(places),
  deleteRecord(places),
  performAction(places),
]

function createRecord(places: Places): Tool {
  const { resource, within, mine } = namingSchemas(places, 'create')
  const values = { type: 'object', description: 'Field → value; describe_resource lists them under create.' }
  return {
    name: 'create_record',
    title: 'Create a record',
    description: `Creates a record. ${ASK_FIRST} ${ONLY_DATA}`,
    acts: true,
    inputSchema: inputSchema({ resource, within, mine, values, idempotency_key: ONCE }, 'resource', 'values'),
    async call(given, { ask }) {
      const found = places.find('create', { ...readNamed(places, 'create', given), id: undefined })
      const body = { [found.route.resource.singular]: requireValues(given, 'values') }
      return written(await ask(found, { body, headers: onceHeaders(given) }))
    },
  }
}

function updateRecord(places: Places): Tool {
  const changes = { type: 'object', description: 'Field → new value; what is left out stays as it is.' }
  return {
    name: 'update_record',
    title: 'Change a record',
    description: `Changes fields of a record, and answers the record as it is then. ${ASK_FIRST} ${ONLY_DATA}`,
    acts: true,
    isIdempotent: true,
    inputSchema: inputSchema({ ...namingSchemas(places, 'update'), changes }, 'resource', 'id', 'changes'),
    async call(given, { ask }) {
      const found = places.find('update', readNamed(places, 'update', given))
      const body = { [found.route.resource.singular]: requireValues(given, 'changes') }
      return written(await ask(found, { body, headers: { prefer: 'return=representation' } }))
    },
  }
}

const deleteRecord = (places: Places): Tool => ({
  name: 'delete_record',
  title: 'Delete a record',
  description: `Deletes a record, with what belongs to it alone. It cannot be undone. ${ASK_FIRST}`,
  acts: true,
  isIdempotent: true,
  inputSchema: inputSchema(namingSchemas(places, 'delete'), 'resource', 'id'),
  async call(given, { ask }) {
    return written(await ask(places.find('delete', readNamed(places, 'delete', given))))
  },
})

function performAction(places: Places): Tool {
  const actions = places.namesOf('perform')
  const properties = {
    ...namingSchemas(places, 'perform'),
    action: { type: 'string', enum: actions, description: 'Which one; describe_resource lists those of a resource.' },
    payload: {
      anyOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' } }],
      description: 'Field → value; of multiple_create a list of such objects.',
    },
    idempotency_key: ONCE,
  }
  return {
    name: 'perform_action',
    title: 'Perform an action',
    description: `Performs an action that has a name of its own, such as close, unclose, retry or points/add. ${ASK_FIRST} ${ONLY_DATA}`,
    acts: true,
    inputSchema: inputSchema(properties, 'resource', 'action'),
    async call(given, { ask }) {
      requireChoice(given, 'action', actions)
      const found = places.find('perform', readNamed(places, 'perform', given, 'action'))
      const { route } = found
      const wrapper = route.action === 'bulk' ? route.resource.name : route.resource.singular
      const payload = Array.isArray(given.payload) ? given.payload : readObject(given, 'payload')
      const body = takesPayload(route) && payload !== undefined ? { body: { [wrapper]: payload } } : {}
      return written(await ask(found, { ...body, headers: isDoneAnew(route) ? onceHeaders(given) : {} }))
    },
  }
}

function requireValues(given: Arguments, name: string) {
  const values = readObject(given, name)
  if (values === undefined) throw malformed(verbatim(`The argument ${name} is missing.`))
  return values
}

function onceHeaders(given: Arguments) {
  const key = readText(given, 'idempotency_key', MAX_KEY)
  return key === undefined ? {} : { 'idempotency-key': key }
}

function written(answer: EncodedAnswer): ToolAnswer {
  const record = jsonOf(answer)
  if (record === null) return { data: { done: true } }
  const { value, isCut } = fitted(record)
  const notes = isCut ? ['It is shown with long texts and lists cut (…): read_record has all of it.'] : []
  return { data: { done: true, record: value }, notes }
}
