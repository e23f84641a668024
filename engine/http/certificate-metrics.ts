import { X509Certificate } from 'node:crypto'
import { gauge, type Metric } from '../base/metrics/metric.ts'
import { metricName } from '../base/service.ts'

/** Returns the expiry of a certificate in PEM. */
export const certificateMetrics = (cert: string): readonly Metric[] => [
  gauge(
    {
      name: metricName('certificate_expiry_timestamp_seconds'),
      help: 'When the certificate of new connections ends, in seconds since 1970.',
    },
    new X509Certificate(cert).validToDate.getTime() / 1000,
    'min',
  ),
]
