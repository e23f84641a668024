import pg from 'pg'

/** Runs a statement on a connection of its own. Gives its rows as lists. */
export async function askPostgres(config: pg.ClientConfig, statement: string): Promise<readonly unknown[][]> {
  const client = new pg.Client(config)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}
