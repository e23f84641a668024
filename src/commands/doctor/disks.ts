import { constants, existsSync } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Check, type Found, fault, type Surroundings, warning, well } from './finding.ts'

const GIGABYTE = 1e9

/** Free space where data and files are stored, and whether they may be written to. */
export const disks: Check<Surroundings> = {
  about: 'disk',
  async look({ config }) {
    const folders = [config.data, config.files].map(nearest)
    return Promise.all([...new Set(folders)].map(lookAt))
  },
}

async function lookAt(folder: string): Promise<Found> {
  try {
    await access(folder, constants.W_OK)
  } catch {
    return fault(`${folder} cannot be written to`, 'Give it to the account that the service runs as.')
  }
  const { bavail, bsize, blocks } = await statfs(folder)
  const [free, share] = [bavail * bsize, bavail / blocks]
  const said = `${(free / GIGABYTE).toFixed(1)} GB (${Math.floor(share * 100)} %) are free at ${folder}`
  if (free < GIGABYTE / 2) return fault(said, 'Make room: a full disk stops every write.')
  if (free < 5 * GIGABYTE || share < 0.05) return warning(said, 'Make room soon, or move it to a larger disk.')
  return well(said)
}

/** The folder, or the one that it will be made in. */
const nearest = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder))
