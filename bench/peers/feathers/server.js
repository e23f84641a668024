/**
 * Feathers over the tables of users and locations, as its generator sets it up for Koa and Knex, without validation of queries and
 * without authentication: as light as it can be. Its lists have a total unless `$total=0` is said.
 */
import { feathers } from '@feathersjs/feathers'
import { KnexService } from '@feathersjs/knex'
import { bodyParser, errorHandler, koa, rest } from '@feathersjs/koa'
import knex from 'knex'

const { databaseUrl, port, pool, perPage, userColumns } = JSON.parse(process.argv[2])

const db = knex({ client: 'pg', connection: databaseUrl, pool: { min: pool, max: pool } })
const options = { Model: db, paginate: { default: perPage, max: 100 } }

const app = koa(feathers())
app.use(errorHandler())
app.use(bodyParser())
app.configure(rest())
app.use('users', new KnexService({ ...options, name: 'users' }), { methods: ['find', 'get'] })
app.use('locations', new KnexService({ ...options, name: 'locations' }), { methods: ['find', 'get', 'create'] })
app.service('users').hooks({ before: { find: [omitTotal], all: [selectColumns] } })
app.service('locations').hooks({ before: { find: [omitTotal] }, after: { all: [addUsers] } })
await app.listen(port, '127.0.0.1')

/** Digests of passwords are not shown. */
function selectColumns(context) {
  context.params.query = { ...context.params.query, $select: userColumns }
}

function omitTotal(context) {
  const { $total, ...query } = context.params.query
  context.params.query = query
  if ($total === '0') context.params.paginate = false
}

/** By one statement for a page, where resolvers would run one for each record. */
async function addUsers(context) {
  const { result } = context
  const records = Array.isArray(result) ? result : (result.data ?? [result])
  const ids = [...new Set(records.map(({ user_id }) => user_id))]
  const found = await db('users').select(userColumns).whereIn('id', ids)
  const users = new Map(found.map((user) => [user.id, user]))
  for (const record of records) record.user = users.get(record.user_id)
}
