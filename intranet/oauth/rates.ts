import type { CallingApplication } from '@campus/engine/http/caller'
import { DEFAULT_RATE } from '@campus/engine/http/rate-limit'
import { joinTable } from '@campus/engine/rest/declare/association'
import { namesOf } from '@campus/engine/rest/declare/fields/computed'
import type { Field } from '@campus/engine/rest/declare/fields/field'
import { columnOf } from '@campus/engine/rest/declare/identifiers'
import type { Role } from '../access/roles.ts'

type Rates = Pick<CallingApplication, 'ratePerSecond' | 'ratePerHour'>
type OwnRates = { readonly rate_per_second: number | null; readonly rate_per_hour: number | null }

const DEFAULT_RATES: Rates = { ratePerSecond: DEFAULT_RATE.secondlyLimit, ratePerHour: DEFAULT_RATE.hourlyLimit }

/** The highest first. */
const RATES_BY_ROLE: readonly (readonly [role: Role, rates: Rates])[] = [
  ['Certified App', { ratePerSecond: 50, ratePerHour: 60_000 }],
  ['Official App', { ratePerSecond: 10, ratePerHour: 12_000 }],
]

/** Returns the rates of an application: its own, else those of its highest role (spec: rates 1). */
export function ratesOf(own: OwnRates, roles: readonly string[]): Rates {
  const byRole = RATES_BY_ROLE.find(([role]) => roles.includes(role))?.[1] ?? DEFAULT_RATES
  return {
    ratePerSecond: own.rate_per_second ?? byRole.ratePerSecond,
    ratePerHour: own.rate_per_hour ?? byRole.ratePerHour,
  }
}

/** Field with the hourly rate of an application. */
export const hourlyRate: Field = Object.freeze({
  hidden: false,
  schema: () => ({ type: 'integer' }),
  compile(scope, name) {
    const own = scope.select(columnOf(scope.alias, 'rate_per_hour'))
    const writeRoles = ROLE_NAMES.compile(scope, name)
    return (row) => {
      const rate_per_hour = row[own] == null ? null : Number(row[own])
      return String(ratesOf({ rate_per_second: null, rate_per_hour }, JSON.parse(writeRoles(row))).ratePerHour)
    }
  },
} satisfies Field)

export const applicationRoles = joinTable('application_roles', { apps: 'application_id', roles: 'role_id' })

const ROLE_NAMES = namesOf('roles', { through: applicationRoles })
