/** Scopes of applications, with descriptions for their users. */
export const SCOPES = {
  public: 'Read public data: people, campuses, cursus, projects, events',
  projects: 'Read and write projects, teams, evaluations and their files',
  profile: "Read and write the person's own profile: expertises, events, languages",
  elearning: 'Read course material',
  tig: 'Read and write closes and community services',
  forum: 'Read and write forum topics and messages',
  openid: 'Sign people in, and learn which user each is',
  email: 'Learn the e-mail address of the person who signs in',
  groups: 'Learn the campuses, cursus, coalitions and roles of the person who signs in',
  act: 'Let an assistant create, change and delete records where the person may',
} as const

export type Scope = keyof typeof SCOPES

/** Scopes that open the API. The others sign people in, or let an assistant act within these. */
export const API_SCOPES: readonly string[] = [
  'public',
  'projects',
  'profile',
  'elearning',
  'tig',
  'forum',
] satisfies Scope[]

export const hasApiScope = (scopes: readonly string[]): boolean => scopes.some((name) => API_SCOPES.includes(name))

/**
 * Granted for `profile` to an application that has `openid` but not the API's scope `profile`. It opens claims
 * (OpenID Connect Core §5.4) and nothing in the API. Clients know it as `profile`.
 */
export const PROFILE_CLAIMS = 'openid:profile'

/** Returns scopes as clients know them. */
export const namedScopes = (scopes: readonly string[]): string[] => [
  ...new Set(scopes.map((name) => (name === PROFILE_CLAIMS ? 'profile' : name))),
]

/** Scopes that a person ticks separately on the consent page. */
export const OPTIONAL_SCOPES: readonly string[] = ['act'] satisfies Scope[]

export const isOptionalScope = (name: string): boolean => OPTIONAL_SCOPES.includes(name)

/** Every application has it. */
export const DEFAULT_SCOPE: Scope = 'public'

/** Scopes in the words of a refusal (spec: errors 6). */
export const SCOPE_MEANINGS: Readonly<Record<Scope, string>> = {
  public: 'read public data',
  projects: 'read and write projects, teams and evaluations',
  profile: 'write the profile, events and expertises of its owner',
  elearning: 'read and write e-learning data',
  tig: 'read and write closes and community services',
  forum: 'read and write the forum',
  openid: 'sign people in',
  email: 'learn the e-mail address of its owner',
  groups: 'learn the groups of its owner',
  act: 'act as an assistant: create, change and delete records',
}

export const isScope = (name: string): name is Scope => Object.hasOwn(SCOPES, name)
