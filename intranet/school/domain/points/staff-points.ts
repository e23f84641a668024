import type { ActionInput, Renderer } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'
import { enterPoints } from './correction-points.ts'

/** Adds or removes evaluation points, also below zero (spec: points 8). Represents the user. */
export const changePoints =
  (sign: 1 | -1) =>
  async (tx: Handle, { id, values, now, render }: ActionInput & Renderer): Promise<string> => {
    const { reason, amount } = values
    const sum = sign * Number(amount ?? 1)
    await enterPoints(tx, [{ userId: id, sum, reason: String(reason), mayOwe: true }], now)
    return render('users', 'short', id)
  }
