import type { SettingName, Settings } from './settings.ts'

/** What settings must be together: gives what is wrong, by the variable to change. Asked where each is right by itself. */
type Rule = {
  readonly names: readonly SettingName[]
  readonly judge: (settings: Settings) => Partial<Record<SettingName, string>>
}

export const RULES: readonly Rule[] = [
  pair('CAMPUS_TLS_CERT', 'CAMPUS_TLS_KEY'),
  pair('CAMPUS_OUTGOING_CERT', 'CAMPUS_OUTGOING_KEY'),
  {
    names: ['CAMPUS_ACME_EMAIL', 'CAMPUS_BASE_URL', 'CAMPUS_TLS_CERT'],
    judge: ({ CAMPUS_ACME_EMAIL: email, CAMPUS_BASE_URL: baseUrl, CAMPUS_TLS_CERT: cert }) => ({
      ...(email && !baseUrl && { CAMPUS_BASE_URL: 'must be set, since a certificate is to be got for its host.' }),
      ...(email &&
        cert && { CAMPUS_ACME_EMAIL: 'must not be set beside CAMPUS_TLS_CERT, which names a certificate already.' }),
    }),
  },
  {
    names: ['CAMPUS_TOKENS_PER_SECOND', 'CAMPUS_TOKENS_BURST'],
    judge: ({ CAMPUS_TOKENS_PER_SECOND: perSecond, CAMPUS_TOKENS_BURST: burst = perSecond }) =>
      perSecond === 0 || burst >= perSecond
        ? {}
        : { CAMPUS_TOKENS_BURST: `must be at least CAMPUS_TOKENS_PER_SECOND (${perSecond}); it is "${burst}".` },
  },
  bucketWith('CAMPUS_S3_ENDPOINT'),
  bucketWith('CAMPUS_S3_ACCESS_KEY_ID'),
  withBucket('CAMPUS_S3_ACCESS_KEY_ID'),
  withBucket('CAMPUS_S3_SECRET_ACCESS_KEY'),
  allOrNone(['CAMPUS_MAIL_URL', 'CAMPUS_MAIL_FROM'], 'must be set too, since mail is to be sent.'),
  allOrNone(
    ['CAMPUS_OIDC_ISSUER', 'CAMPUS_OIDC_CLIENT_ID', 'CAMPUS_OIDC_CLIENT_SECRET'],
    "must be set too, since other settings of the school's provider are.",
  ),
]

function pair(cert: SettingName, key: SettingName): Rule {
  return {
    names: [cert, key],
    judge: (settings) => ({
      ...(settings[key] && !settings[cert] && { [cert]: `must name a certificate file, since ${key} is set.` }),
      ...(settings[cert] && !settings[key] && { [key]: `must name a private key file, since ${cert} is set.` }),
    }),
  }
}

function bucketWith(name: SettingName): Rule {
  return {
    names: [name],
    judge: (settings) =>
      settings[name] && !settings.CAMPUS_S3_BUCKET
        ? { CAMPUS_S3_BUCKET: `must name a bucket, since ${name} is set.` }
        : {},
  }
}

function withBucket(name: SettingName): Rule {
  return {
    names: [name],
    judge: (settings) =>
      settings.CAMPUS_S3_BUCKET && !settings[name] ? { [name]: 'must be set, since CAMPUS_S3_BUCKET is.' } : {},
  }
}

function allOrNone(names: readonly SettingName[], fault: string): Rule {
  return {
    names,
    judge: (settings) => {
      const missing = names.filter((name) => !settings[name])
      return missing.length === names.length ? {} : Object.fromEntries(missing.map((name) => [name, fault]))
    },
  }
}
