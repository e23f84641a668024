import { message } from '../../base/languages/say.ts'
import { suggesting } from '../../base/text/nearest.ts'
import { accessDenied, wrongParameter } from '../../errors.ts'
import type { Caller } from '../../http/caller.ts'
import type { ParamValue } from '../../http/params.ts'
import { decide } from '../declare/access.ts'
import { embeddedOnly, type Resource } from '../declare/declaration.ts'
import type { LinkMember, Shape, Shapes } from './shapes.ts'

export type IncludeTree = ReadonlyMap<string, Step>

export type Step = {
  readonly member: LinkMember
  /** Representation of the holder that shows the relationship, if the current one does not. */
  readonly shownIn: Shape | undefined
  readonly target: Shape
  readonly below: IncludeTree
}

const MAX_PATHS = 20
const MAX_DEPTH = 5

/** Reads `include`: relationships of the response, and of pages that the caller may read. Throws 400 and 403. */
export function readInclude(value: ParamValue | undefined, shapes: Shapes, shape: Shape, caller: Caller): IncludeTree {
  const root: Mutable = new Map()
  if (value === undefined || value === '') return root
  if (typeof value !== 'string') throw wrongParameter('include', 'include must be paths with commas between.')
  const paths = value.split(',', MAX_PATHS + 1)
  if (paths.length > MAX_PATHS)
    throw wrongParameter('include', message('include takes at most {most} paths.', { most: MAX_PATHS }))
  for (const path of paths) {
    const names = path.trim().split('.')
    if (names.length > MAX_DEPTH) {
      throw wrongParameter(
        'include',
        message('A path of include has at most {most} names; {path} has more.', { most: MAX_DEPTH, path: shown(path) }),
      )
    }
    let [below, holder] = [root, shape]
    for (const name of names) {
      const step = below.get(name) ?? stepOf(shapes, holder, name, path, caller)
      below.set(name, step)
      below = step.below
      holder = step.target
    }
  }
  return root
}

type Mutable = Map<string, Omit<Step, 'below'> & { readonly below: Mutable }>

function stepOf(shapes: Shapes, holder: Shape, name: string, path: string, caller: Caller) {
  const page = pageOf(shapes, holder.resource)
  const here = linksOf(holder)
  const there = page ? linksOf(page) : []
  const member = here.find((link) => link.name === name) ?? there.find((link) => link.name === name)
  if (!member) {
    const names = [...new Set([...here, ...there].map((link) => link.name))]
    const values = { path: shown(path), resource: holder.resource.name, names: names.join(', ') }
    const fault =
      names.length > 0
        ? message('The path {path} leads nowhere: {resource} can include {names}.', values)
        : message('The path {path} leads nowhere: {resource} can include nothing.', values)
    throw wrongParameter('include', suggesting(fault, name, names))
  }
  const isHere = here.includes(member)
  if (!isHere) requirePage(holder.resource, caller)
  if (member.kind === 'reference') requirePage(member.target, caller)
  const representation =
    member.kind === 'reference' ? (member.target.answers?.index ?? 'record') : member.representation
  return {
    member,
    shownIn: isHere ? undefined : page,
    target: shapes.of(member.target, representation),
    below: new Map(),
  }
}

const pageOf = (shapes: Shapes, resource: Resource) =>
  resource.actions === embeddedOnly ? undefined : shapes.of(resource, resource.answers?.show ?? 'record')

const linksOf = ({ members }: Shape) => members.filter((member) => isLink(member))

function isLink(member: Shape['members'][number]): member is LinkMember {
  if (member.kind === 'toOne' || member.kind === 'toMany') return true
  return member.kind === 'reference' && member.target.actions !== embeddedOnly
}

function requirePage({ actions, name }: Resource, caller: Caller): void {
  if (actions === embeddedOnly || !decide(actions.show, caller).ownAssociation) return
  throw accessDenied(message('{name} can be read one by one only, by whom they belong to.', { name }))
}

const shown = (text: string) => JSON.stringify(text.slice(0, 80))
