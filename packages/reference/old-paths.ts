/** Returns the present path of a page of a former release, such as `/apidoc/2.0/users/index.html`. */
export function newPathOf(path: string, isPage: (path: string) => boolean): string | undefined {
  const [, rest = ''] = /^\/apidoc(?:\/2\.0)?(?:\/(.*?))?(?:\.html)?$/.exec(path) ?? []
  if (rest === '' || rest === '2.0') return '/apidoc'
  const [name = '', action, ...more] = rest.split('/')
  const guide = GUIDES[action ?? ''] ?? action
  if (name === 'guides' && guide && isPage(`/apidoc/guides/${guide}`)) return differing(`/apidoc/guides/${guide}`, path)
  if (more.length > 0 || !isPage(`/apidoc/${name}`)) return undefined
  const anchor = action && (ACTIONS[action] ?? action)
  return differing(`/apidoc/${name}${anchor ? `#${anchor}` : ''}`, path)
}

/** Prevents a redirect to the same path. */
const differing = (target: string, path: string) => (target === path ? undefined : target)

const ACTIONS: Readonly<Record<string, string>> = {
  index: 'list',
  update: 'change',
  destroy: 'delete',
  multiple_create: 'create-several',
}

const GUIDES: Readonly<Record<string, string>> = {
  getting_started: 'getting-a-token',
  web_application_flow: 'the-web-flow',
  specification: 'paging-a-collection',
}
