import { X509Certificate } from 'node:crypto'
import { described, gauge, type Metric } from '../base/metrics/metric.ts'

export const certificateMetrics = (cert: string): readonly Metric[] => [
  gauge(
    described(
      'certificate_expiry_timestamp_seconds',
      'When the certificate of new connections ends, in seconds since 1970.',
    ),
    new X509Certificate(cert).validToDate.getTime() / 1000,
    'min',
  ),
]
