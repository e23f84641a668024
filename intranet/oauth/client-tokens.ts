import { Batches } from '@campus/engine/database/batches'
import type { Database } from '@campus/engine/database/database'
import { jsonRows } from '@campus/engine/database/json-rows'
import type { Client } from './authenticate-client.ts'
import { digestOf } from './digests.ts'
import type { TokenResource } from './resources.ts'
import type { IssuedToken } from './tokens.ts'

type ClientToken = IssuedToken & {
  readonly client: Client
  readonly scopes: readonly string[]
  readonly resource: TokenResource | null
}

/**
 * Stores tokens with which applications act for themselves. Answers false if an application has changed since it
 * authenticated, or is being changed.
 */
export type ClientTokens = Batches<ClientToken, boolean>

/**
 * Locks each application whose row is unchanged since it authenticated until the tokens are committed, so that none is issued
 * under an ended secret. Skips rows that others have locked.
 */
const STORE = `with unchanged as materialized (
    select id, xmin::text as version from applications where id = any($1::integer[]) for share skip locked
  )
  insert into access_tokens (digest, application_id, scopes, resource, created_at, expires_at)
  select decode(token.digest, 'hex'), token.application_id, token.scopes, token.resource, token.created_at, token.expires_at
  from json_to_recordset($2::json) as token (
    digest text, application_id integer, version text, scopes text[], resource text, created_at timestamptz, expires_at timestamptz
  ) join unchanged on unchanged.id = token.application_id and unchanged.version = token.version
  returning to_json(encode(digest, 'hex'))`

/** Stores many tokens by one statement and one flush to the disk. */
export function storeClientTokens(database: Database): ClientTokens {
  return new Batches(async (tokens) => {
    const rows = tokens.map(rowOf)
    const applicationIds = [...new Set(rows.map(({ application_id }) => application_id))]
    const stored = new Set(await jsonRows<string>(database, STORE, [applicationIds, JSON.stringify(rows)]))
    return rows.map(({ digest }) => stored.has(digest))
  })
}

const rowOf = ({ token, client, scopes, resource, createdAt, expiresAt }: ClientToken) => ({
  digest: digestOf(token).toString('hex'),
  application_id: client.application.id,
  version: client.version,
  scopes,
  resource,
  created_at: createdAt,
  expires_at: expiresAt,
})
