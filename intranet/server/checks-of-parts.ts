import type { CheckAnywhere } from './doctor/finding.ts'
import type { Part } from './part.ts'

export const checksOfParts = async (parts: readonly Part[]): Promise<readonly CheckAnywhere[]> =>
  (await Promise.all(parts.map(({ checks }) => checks?.() ?? []))).flat()
