import type { CallingApplication } from '../http/caller.ts'
import { DEFAULT_RATE } from '../http/rate-limit.ts'

type Rates = Pick<CallingApplication, 'ratePerSecond' | 'ratePerHour'>
type OwnRates = { readonly rate_per_second: number | null; readonly rate_per_hour: number | null }

const DEFAULT_RATES: Rates = { ratePerSecond: DEFAULT_RATE.secondlyLimit, ratePerHour: DEFAULT_RATE.hourlyLimit }

/** The most generous first. */
const RATES_BY_ROLE: readonly (readonly [role: string, rates: Rates])[] = [
  ['Certified App', { ratePerSecond: 50, ratePerHour: 60_000 }],
  ['Official App', { ratePerSecond: 10, ratePerHour: 12_000 }],
]

/** How often an application may call: by its own rates where set, else by its most generous role (decisions §4). */
export function ratesOf(own: OwnRates, roles: readonly string[]): Rates {
  const byRole = RATES_BY_ROLE.find(([role]) => roles.includes(role))?.[1] ?? DEFAULT_RATES
  return {
    ratePerSecond: own.rate_per_second ?? byRole.ratePerSecond,
    ratePerHour: own.rate_per_hour ?? byRole.ratePerHour,
  }
}
