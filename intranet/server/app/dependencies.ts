import type { Clock } from '@campus/engine/base/clock'
import type { SumMetrics } from '@campus/engine/base/metrics/metrics'
import type { StreamLimits } from '@campus/engine/changes/streams/limits'
import type { Database } from '@campus/engine/database/database'
import type { RateStore } from '@campus/engine/http/rates/rate-store'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../settings/config.ts'
import type { Sealing } from '../../webhooks/sealing.ts'
import type { Part } from '../part.ts'

/** Dependencies that the service does not create itself. */
export type Dependencies = {
  readonly config: Config
  readonly parts: readonly Part[]
  readonly database: Database
  readonly clock: Clock
  /** PEM texts. Undefined if a proxy ends TLS. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  /** 32 bytes that seal secrets of endpoints at rest. */
  readonly secretKey: Buffer
  /** Default: its own log. */
  readonly log?: FastifyBaseLogger
  /** Default: `STREAM_LIMITS`. */
  readonly streamLimits?: Omit<StreamLimits, 'perProcess'>
  /** Aborted when the service is about to stop. It still answers, but is not ready. */
  readonly stopping?: AbortSignal
}

/** Resources that the processes of this machine share. */
export type Shared = {
  /** Counts requests for all processes. */
  readonly machineRates: RateStore
  /** Opens secrets that any process has sealed. Undefined if the operator set a key. */
  readonly sealing: Sealing | undefined
  readonly sumMetrics: SumMetrics
}
