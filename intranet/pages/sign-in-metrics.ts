import { Counter } from '@campus/engine/base/metrics/counter'
import type { Metric } from '@campus/engine/base/metrics/metric'
import { HttpError } from '@campus/engine/errors'

type Proof = 'password' | 'second_factor' | 'passkey' | 'school'

export class SignInMetrics {
  readonly #proofs = new Counter(
    {
      name: 'campus_sign_in_proofs_total',
      help: 'Attempts to authenticate, by proof (password, second_factor, passkey, school) and outcome (right, wrong, throttled, error).',
    },
    ['proof', 'outcome'],
  )
  readonly #sessions = new Counter({ name: 'campus_sign_ins_total', help: 'People who were signed in.' })

  async prove<T>(proof: Proof, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      this.#proofs.add({ proof, outcome: 'right' })
      return result
    } catch (error) {
      this.#proofs.add({ proof, outcome: outcomeOf(error) })
      throw error
    }
  }

  signedIn(): void {
    this.#sessions.add({})
  }

  collect(): readonly Metric[] {
    return [this.#proofs.collect(), this.#sessions.collect()]
  }
}

function outcomeOf(error: unknown): string {
  if (!(error instanceof HttpError) || error.status >= 500) return 'error'
  return error.status === 429 ? 'throttled' : 'wrong'
}
