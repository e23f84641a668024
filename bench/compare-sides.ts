import { type Load, measure, type Sample } from './load.ts'
import type { Line } from './report.ts'
import { compare, orderOf, type Side } from './rounds.ts'
import type { Scenario } from './scenarios.ts'

const WARM_UP_SECONDS = 1
const SECONDS_MEANWHILE = 1

/** Measures every line, round by round. `onRound` hears the number of each round that begins. */
export async function compareSides(
  scenarios: readonly Scenario[],
  { rounds, ...load }: Load & { readonly rounds: number },
  onRound: (round: number) => void,
): Promise<Line[]> {
  for (const scenario of scenarios) {
    for (const side of orderOf(0)) await stretch(scenario, side, { ...load, seconds: WARM_UP_SECONDS })
  }
  const samples = scenarios.map(() => ({ ours: [] as Sample[], bare: [] as Sample[] }))
  for (let round = 0; round < rounds; round += 1) {
    onRound(round + 1)
    for (const [index, scenario] of scenarios.entries()) {
      for (const side of orderOf(round)) samples[index]?.[side].push(await stretch(scenario, side, load))
    }
  }
  return scenarios.map(({ name, aim }, index) => ({
    name,
    aim,
    ...compare(samples[index] as (typeof samples)[number]),
  }))
}

async function stretch({ sides, meanwhile }: Scenario, side: Side, load: Load): Promise<Sample> {
  if (!meanwhile) return measure(sides[side], load)
  const doing = setTimeout(meanwhile, (SECONDS_MEANWHILE / 2) * 1000)
  try {
    return await measure(sides[side], { ...load, seconds: SECONDS_MEANWHILE })
  } finally {
    clearTimeout(doing)
  }
}
