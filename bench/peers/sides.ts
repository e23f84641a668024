import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { campusDialect, startCampus } from './campus.ts'
import { directusDialect, prepareDirectus, startDirectus } from './directus.ts'
import { feathersDialect, startFeathers } from './feathers.ts'
import type { Dialect, Running } from './servers.ts'

/** A side of the comparison, and how it is asked. */
export type Side = { readonly name: string; readonly dialect: Dialect; readonly running: Running }

export type Sides = {
  /** Servers without caches, this service first. */
  readonly anew: readonly Side[]
  /** Servers that cache responses until something changes, this service first. */
  readonly caching: readonly Side[]
  stop(): Promise<void>
}

/** Starts all sides, each in a process of its own, on one database. */
export async function startSides(databaseUrl: string, folder: string): Promise<Sides> {
  const undo: (() => Promise<void>)[] = []
  const started = async (name: string, dialect: Dialect, starting: Promise<Running>): Promise<Side> => {
    const running = await starting
    undo.push(running.stop)
    return { name, dialect, running }
  }
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const data = join(folder, 'campus')
    await mkdir(data)
    undo.push(await prepareDirectus(databaseUrl))
    const ours = await started('Campus', campusDialect, startCampus(databaseUrl, data))
    const oursAnew = await started('Campus', campusDialect, startCampus(databaseUrl, data, 0))
    const feathers = await started('Feathers', feathersDialect, startFeathers(databaseUrl))
    const directus = await started('Directus', directusDialect, startDirectus(databaseUrl))
    const directusCaching = await started('Directus', directusDialect, startDirectus(databaseUrl, true))
    return { anew: [oursAnew, feathers, directus], caching: [ours, directusCaching], stop }
  } catch (error) {
    await stop()
    throw error
  }
}
