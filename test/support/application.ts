import type { Database, Handle } from '@campus/engine/database/database'
import {
  type Application,
  applicationOf,
  createNamedApplication,
  type NamedValues,
} from '@campus/intranet/oauth/applications/by-operators'
import { deleteApplication as removeApplication } from '@campus/intranet/oauth/applications/delete'

type Created<Secret> = Application & { readonly secret: Secret }

const NOBODY = { userId: null }

/** An application as an operator creates it. */
export async function createApplication(
  tx: Handle,
  values: NamedValues & { readonly confidential?: true | undefined },
): Promise<Created<string>>
export async function createApplication(
  tx: Handle,
  values: NamedValues & { readonly confidential?: boolean },
): Promise<Created<string | null>>
export function createApplication(tx: Handle, values: NamedValues): Promise<Created<string | null>> {
  return createNamedApplication(tx, values, { actor: NOBODY, now: new Date() })
}

/** Deletes an application as an operator does. */
export const deleteApplication = (database: Database, uid: string) =>
  database.transaction(async (tx) => {
    const application = await applicationOf(tx, uid)
    await removeApplication(tx, { id: application.id, actor: NOBODY, now: new Date() })
    return application
  })
