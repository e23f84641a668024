import { Counter } from '@campus/engine/base/metrics/counter'
import type { Metric } from '@campus/engine/base/metrics/metric'

export class AssistantMetrics {
  readonly #calls = new Counter(
    {
      name: 'campus_assistant_calls_total',
      help: 'Calls of tools by assistants, by tool and outcome (answered, refused, failed).',
    },
    ['tool', 'outcome'],
  )

  count(tool: string, outcome: 'answered' | 'refused' | 'failed'): void {
    this.#calls.add({ tool, outcome })
  }

  collect(): readonly Metric[] {
    return [this.#calls.collect()]
  }
}
