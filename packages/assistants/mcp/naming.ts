import { verbatim } from '@campus/engine/base/languages/say'
import { isRecord } from '@campus/engine/base/narrow'
import { malformed } from '@campus/engine/errors'
import { type Arguments, readChoice, readFlag, readText, requireChoice, requireText } from './arguments.ts'
import type { Named, Places, Verb, Within } from './places.ts'

const MAX_PARENTS = 2

/** Some models accept only schemas with one type. */
const ID = { anyOf: [{ type: 'string' }, { type: 'integer' }] }

/** Returns the properties by which a call names records. */
export const namingSchemas = (places: Places, ...verbs: readonly Verb[]) => ({
  resource: { type: 'string', enum: places.resourcesWith(...verbs), description: 'The resource, such as users.' },
  within: {
    type: 'array',
    maxItems: MAX_PARENTS,
    items: {
      type: 'object',
      properties: { resource: { type: 'string' }, id: ID },
      required: ['resource', 'id'],
      additionalProperties: false,
    },
    description:
      'The records that these lie below, outermost first, such as [{"resource":"campus","id":1}]. describe_resource lists where each may lie.',
  },
  mine: { type: 'boolean', description: 'Of the person whom the token stands for, instead of within.' },
  id: { ...ID, description: 'The id or, where the resource has one, its login or slug.' },
})

/** Reads the names of a call. `nameArgument` names an action, a part or a list. */
export function readNamed(places: Places, verb: Verb, given: Arguments, nameArgument?: string): Named {
  const resource = requireChoice(given, 'resource', places.resourcesWith(verb))
  const within = readWithin(given)
  const isMine = readFlag(given, 'mine')
  if (isMine && within.length > 0) throw malformed(verbatim('The arguments mine and within do not go together.'))
  const name = nameArgument === undefined ? undefined : readChoice(given, nameArgument, places.namesOf(verb))
  return { resource, within, isMine, name: name ?? '', id: readText(given, 'id') }
}

function readWithin(given: Arguments): readonly Within[] {
  const parents: readonly unknown[] = [Object.hasOwn(given, 'within') ? (given.within ?? []) : []].flat()
  if (parents.length > MAX_PARENTS) throw malformed(verbatim(`The argument within has ${MAX_PARENTS} members at most.`))
  return parents.map((parent) => {
    if (!isRecord(parent))
      throw malformed(verbatim('The argument within must be a list of objects with resource and id.'))
    return { resource: requireText(parent, 'resource'), id: requireText(parent, 'id') }
  })
}
