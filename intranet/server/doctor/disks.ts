import { constants, existsSync, type StatsFs } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { freeBytesOf, reserveOf } from '@campus/engine/http/staging'
import { type Check, type Found, fault, type Surroundings, warning, well } from './finding.ts'

const GIGABYTE = 1e9

/** Checks free space and write access of the folders with data and files. */
export const disks: Check<Surroundings> = {
  about: 'disk',
  async look({ config }) {
    const files = nearest(config.files)
    const folders = new Set([nearest(config.data), files])
    return Promise.all([...folders].map((folder) => lookAt({ folder, takesUploads: folder === files })))
  },
}

type Folder = { readonly folder: string; readonly takesUploads: boolean }

async function lookAt({ folder, takesUploads }: Folder): Promise<Found> {
  try {
    await access(folder, constants.W_OK)
  } catch {
    return fault(`${folder} cannot be written to`, 'Give it to the account that the service runs as.')
  }
  return classify(await statfs(folder), { folder, takesUploads })
}

/** Returns a fault if uploads are refused or writes may soon fail, and a warning before that. */
export function classify(disk: StatsFs, { folder, takesUploads }: Folder): Found {
  const free = freeBytesOf(disk)
  const share = disk.bavail / disk.blocks
  const reserve = takesUploads ? reserveOf(disk) : 0
  const said = `${gigabytes(free)} GB (${Math.floor(share * 100)} %) are free at ${folder}`
  const refused = takesUploads ? `uploads are refused below ${gigabytes(reserve)} GB, and ` : ''
  const effects = `${refused}a full disk stops every write`
  if (free < Math.max(reserve, GIGABYTE / 2)) return fault(said, `Make room: ${effects}.`)
  if (free < 5 * GIGABYTE || share < 0.05)
    return warning(said, `Make room soon, or move it to a larger disk: ${effects}.`)
  return well(said)
}

const gigabytes = (bytes: number) => (bytes / GIGABYTE).toFixed(1)

/** Returns the folder, or its nearest parent if it does not exist yet. */
const nearest = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder))
