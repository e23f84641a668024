import { join } from 'node:path'
import type { Config } from '@campus/intranet/settings/config'

/** The file with the credentials of the demonstration, in the data folder. */
export const credentialsPath = ({ data }: Pick<Config, 'data'>): string => join(data, 'demo-credentials.json')
