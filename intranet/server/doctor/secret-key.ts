import { compareKey, describeOtherKey } from '../../services/sealing/check-key.ts'
import { findSecretKey, keyIdOf } from '../../services/sealing/secret-key.ts'
import { type Check, fault, well } from './finding.ts'

/** Checks that the key here is the one that seals the database's secrets. */
export const secretKey: Check = {
  about: 'secret key',
  async look({ config, database }) {
    const key = await findSecretKey(config)
    const fit = await compareKey(database, key)
    if (fit === 'other') return [fault('not the key of this database', await describeOtherKey(database, config, key))]
    if (!key) return [well('none yet: the first start makes it')]
    const id = `id ${keyIdOf(key)}`
    return [
      well(
        fit === 'fits' ? `it is that of the database (${id})` : `the next start makes it that of the database (${id})`,
      ),
    ]
  },
}
