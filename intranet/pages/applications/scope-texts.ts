import { isScope, PROFILE_CLAIMS, type Scope } from '../../access/scopes.ts'
import { say } from '../html.ts'

const TEXTS: Readonly<Record<Scope, () => string>> = {
  public: () => say('Read public data: people, campuses, cursus, projects, events'),
  projects: () => say('Read and write projects, teams, evaluations and their files'),
  profile: () => say('Read and write the person’s own profile: expertises, events, languages'),
  elearning: () => say('Read course material'),
  tig: () => say('Read and write closes and community services'),
  forum: () => say('Read and write forum topics and messages'),
  openid: () => say('Learn who you are, to sign you in'),
  email: () => say('Learn your e-mail address'),
  groups: () => say('Learn your campuses, cursus, coalitions and roles'),
  act: () => say('Let an assistant create, change and delete records where the person may'),
}

export function scopeText(scope: string): string {
  if (scope === PROFILE_CLAIMS) return say('Learn your name, login and picture')
  return isScope(scope) ? TEXTS[scope]() : scope
}
