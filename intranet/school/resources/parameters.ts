import type { Kind, SqlValue } from '@campus/engine/rest/declare/fields/kinds'

export const optionalParameter = <T extends SqlValue>(description: string, kind: Kind<T>) =>
  ({ kind, nullable: true, description }) as const

export const requiredParameter = <T extends SqlValue>(description: string, kind: Kind<T>) =>
  ({ kind, nullable: false, required: true, description }) as const

/** Accepted and ignored, for clients that send it. */
export const ignoredParameter = <T extends SqlValue>(description: string, kind: Kind<T>) =>
  ({ kind, nullable: true, ignored: true, description }) as const
