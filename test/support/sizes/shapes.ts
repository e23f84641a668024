/** A request that can be made as large as one likes in one of its parts. */
export type Shape = {
  readonly title: string
  /** How many of them the service accepts, where that is fewer than the bytes would allow. */
  readonly most?: number
  /** The request with so many of what it has many of. */
  make(count: number): SizedRequest
}

export type SizedRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Caller. Default: an application with all rights. */
  readonly as?: 'browser' | 'nobody'
}

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const PARTS_TYPE = { 'content-type': 'multipart/form-data; boundary=edge' }
const JSON_API_TYPE = { 'content-type': 'application/vnd.api+json' }

const times = (count: number, text: (at: number) => string, between = '') =>
  Array.from({ length: count }, (_, at) => text(at)).join(between)

type Post = Partial<SizedRequest> & { readonly path: string }

const json = (title: string, path: string, body: (count: number) => string, rest: Partial<SizedRequest> = {}): Shape =>
  posted(`JSON: ${title}`, { path, headers: JSON_TYPE, ...rest }, body)

const form = (title: string, path: string, body: (count: number) => string, rest: Partial<SizedRequest> = {}): Shape =>
  posted(`form: ${title}`, { path, headers: FORM_TYPE, ...rest }, body)

const parts = (title: string, path: string, body: (count: number) => string): Shape =>
  posted(`multipart: ${title}`, { path, headers: PARTS_TYPE }, (count) => `${body(count)}--edge--\r\n`)

const document = (title: string, path: string, body: (count: number) => string): Shape =>
  posted(`JSON:API: ${title}`, { path, headers: JSON_API_TYPE }, body)

const posted = (title: string, request: Post, body: (count: number) => string): Shape => ({
  title,
  make: (count) => ({ method: 'POST', ...request, body: body(count) }),
})

const query = (
  title: string,
  path: string,
  text: (count: number) => string,
  rest: Partial<SizedRequest> = {},
): Shape => ({
  title: `query: ${title}`,
  make: (count) => ({ method: 'GET', path: `${path}?${text(count)}`, ...rest }),
})

const header = (title: string, headers: (count: number) => Record<string, string>, path = '/v2/users'): Shape => ({
  title: `headers: ${title}`,
  make: (count) => ({ method: 'GET', path, headers: headers(count) }),
})

const path = (title: string, text: (count: number) => string, method: SizedRequest['method'] = 'GET'): Shape => ({
  title: `path: ${title}`,
  make: (count) => ({ method, path: text(count) }),
})

const part = (name: string, value: string, more = '') =>
  `--edge\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`

const attributes = (members: string) => `{"data":{"type":"topics","attributes":{"name":"x"${members}}}}`

const accepted = (most: number, shape: Shape): Shape => ({ ...shape, title: `${shape.title}, ${most} of them`, most })

/** A message of an assistant. */
const message = (title: string, members: (count: number) => string): Shape =>
  json(`${title} of an assistant's message`, '/mcp', (count) => `{"jsonrpc":"2.0","id":1,${members(count)}}`, {
    headers: { ...JSON_TYPE, accept: 'application/json, text/event-stream' },
  })

const calling = (tool: string, given: string) =>
  `"method":"tools/call","params":{"name":"${tool}","arguments":{${given}}}`

/** Shapes with the largest accepted counts, which cost more than a refusal. */
export const ACCEPTED_SHAPES: readonly Shape[] = [
  accepted(
    1_900,
    message('unknown keys', (n) => `"method":"ping",${times(n, (at) => `"${'k'.repeat(60)}${at}":1`, ',')}`),
  ),
  accepted(
    1_900,
    message('arguments', (n) =>
      calling(
        'who_am_i',
        times(n, (at) => `"${'k'.repeat(60)}${at}":{}`, ','),
      ),
    ),
  ),
  accepted(
    50,
    message('filters', (n) =>
      calling(
        'list_records',
        `"resource":"users","filter":{${times(n, (at) => `"id${at}":"${'x'.repeat(80)}"`, ',')}}`,
      ),
    ),
  ),
  accepted(
    700,
    message('values', (n) => calling('list_records', `"resource":"users","filter":{"id":[${times(n, String, ',')}]}`)),
  ),
  accepted(
    15_000,
    message('values beside', (n) => `"method":"ping","params":{"_meta":{"a":[${times(n, String, ',')}]}}`),
  ),
  accepted(
    2_000,
    json('unknown keys', '/v2/topics', (n) => `{"topic":{${times(n, (at) => `"${'k'.repeat(60)}${at}":1`, ',')}}}`),
  ),
  accepted(
    60,
    json('levels', '/v2/users', (n) => `{"user":{"meta":${'{"a":'.repeat(n)}1${'}'.repeat(n)}}}`),
  ),
  accepted(
    19_000,
    json('values', '/v2/users', (n) => `{"user":{"meta":{"a":[${times(n, () => `"${'x'.repeat(40)}"`, ',')}]}}}`),
  ),
  accepted(
    9,
    json(
      'objects of 2000 members',
      '/v2/users',
      (n) =>
        `{"user":{"meta":[${times(n, () => `{${times(2_000, (at) => `"k${at}":"${'x'.repeat(30)}"`, ',')}}`, ',')}]}}`,
    ),
  ),
  accepted(
    19,
    json(
      'nested records of a thousand fields',
      '/v2/users',
      (n) =>
        `{"user":{"cursus_users_attributes":[${times(n, () => `{${times(1_000, (at) => `"cursu${at}":1`, ',')}}`, ',')}]}}`,
    ),
  ),
  accepted(
    100,
    json(
      'entries of unknown fields',
      '/v2/scale_teams/multiple_create',
      (n) => `{"scale_teams":[${times(n, () => `{${times(190, (at) => `"team${at}":1`, ',')}}`, ',')}]}`,
    ),
  ),
  accepted(
    1_900,
    document('attributes', '/v2/topics', (n) => attributes(times(n, (at) => `,"${'k'.repeat(60)}${at}":1`))),
  ),
  accepted(
    1_900,
    form('levels of each on a page', '/applications/new', (n) => times(n, (at) => `k${at}${'[a]'.repeat(15)}=1`, '&'), {
      as: 'browser',
    }),
  ),
  accepted(
    1_000,
    json('ids', '/v2/cursus', (n) => `{"cursus":{"name":"x","skill_ids":[${times(n, String, ',')}]}}`),
  ),
  accepted(
    1_000,
    json(
      'nested records',
      '/v2/users',
      (n) => `{"user":{"cursus_users_attributes":[${times(n, () => '{"cursus_id":1}', ',')}]}}`,
    ),
  ),
  accepted(
    1_000,
    json(
      'nested records that are written',
      '/v2/project_sessions',
      (n) =>
        `{"project_session":{"project_id":1,"evaluations_attributes":[${times(n, () => '{"kind":"scale"}', ',')}]}}`,
    ),
  ),
  accepted(
    9_900,
    json('values sought', '/v2/search/users', (n) => `{"filter":{"id":[${times(n, String, ',')}]}}`),
  ),
  accepted(
    100,
    json('entries', '/v2/scale_teams/multiple_create', (n) => `{"scale_teams":[${times(n, () => '{}', ',')}]}`),
  ),
  accepted(
    1_900,
    form('fields', '/v2/topics', (n) => times(n, (at) => `topic[${'k'.repeat(60)}${at}]=1`, '&')),
  ),
  accepted(
    1_900,
    form('levels of each', '/v2/topics', (n) => times(n, (at) => `topic[k${at}]${'[a]'.repeat(14)}=1`, '&')),
  ),
  accepted(
    1_900,
    parts('fields', '/v2/topics', (n) => times(n, (at) => part(`topic[${'k'.repeat(60)}${at}]`, '1'))),
  ),
]

/** Shapes of bodies that can be many, deep or long. */
export const BODY_SHAPES: readonly Shape[] = [
  json('unknown keys', '/v2/topics', (n) => `{"topic":{${times(n, (at) => `"key${at}":1`, ',')}}}`),
  json(
    'unknown keys that are nearly known',
    '/v2/topics',
    (n) => `{"topic":{${times(n, (at) => `"nam${at}":1`, ',')}}}`,
  ),
  json('keys beside the wrapper', '/v2/topics', (n) => `{${times(n, (at) => `"topi${at}":{}`, ',')}}`),
  json('keys that are numbers', '/v2/topics', (n) => `{"topic":{${times(n, (at) => `"${at * 65_536}":1`, ',')}}}`),
  json('the same key', '/v2/topics', (n) => `{"topic":{${times(n, () => '"name":"x"', ',')}}}`),
  json('levels of objects', '/v2/users', (n) => `{"user":{"meta":${'{"a":'.repeat(n)}1${'}'.repeat(n)}}}`),
  json('levels of lists', '/v2/users', (n) => `{"user":{"meta":{"a":${'['.repeat(n)}${']'.repeat(n)}}}}`),
  json('levels that never end', '/v2/topics', (n) => '['.repeat(n)),
  json('levels for an application of nobody', '/oauth/token', (n) => '['.repeat(n), { as: 'nobody' }),
  json('levels on a page', '/sign-in', (n) => '['.repeat(n), { as: 'browser' }),
  json(
    'JSON in a text',
    '/v2/project_data',
    (n) => `{"project_data":{"coordinates":"${'['.repeat(n)}","by":"${'['.repeat(n)}"}}`,
  ),
  json('commas and colons', '/v2/topics', (n) => '{,:'.repeat(n)),
  json('quotes', '/v2/topics', (n) => `{"topic":{"name":"${'\\"'.repeat(n)}"}}`),
  json('escapes', '/v2/topics', (n) => `{"topic":{"name":"${'\\u0041'.repeat(n)}"}}`),
  json('digits of a number', '/v2/topics', (n) => `{"topic":{"language_id":${'1'.repeat(n)}}}`),
  json('a payload to be repeated', '/v2/topics', (n) => `{"topic":{"name":"${'a'.repeat(n)}"}}`, {
    headers: { ...JSON_TYPE, 'idempotency-key': 'once' },
  }),
  json('values of a range sought', '/v2/search/users', (n) => `{"range":{"id":"${times(n, String, ',')}"}}`),
  json('texts sought', '/v2/search/users', (n) => `{"search":{"login":"${'a'.repeat(n)}"}}`),
  json('ids', '/v2/cursus', (n) => `{"cursus":{"name":"x","skill_ids":[${times(n, String, ',')}]}}`),
  json('ids in a text', '/v2/cursus', (n) => `{"cursus":{"name":"x","skill_ids":"${times(n, String, ',')}"}}`),
  json('texts', '/v2/apps', (n) => `{"app":{"name":"x","redirect_uris":[${times(n, (at) => `"a${at}"`, ',')}]}}`),
  json('scopes', '/v2/apps', (n) => `{"app":{"name":"x","scopes":[${times(n, (at) => `"a${at}"`, ',')}]}}`),
  json('nested records', '/v2/users', (n) => `{"user":{"cursus_users_attributes":[${times(n, () => '{}', ',')}]}}`),
  json(
    'nested records with unknown keys',
    '/v2/users',
    (n) => `{"user":{"cursus_users_attributes":[${times(n, (at) => `{"k${at}":1}`, ',')}]}}`,
  ),
  json(
    'nested records in nested records',
    '/v2/project_sessions',
    (n) =>
      `{"project_session":{"evaluations_attributes":[{"kind":"scale","uploads_attributes":[${times(n, () => '{"name":"x"}', ',')}]}]}}`,
  ),
  json('entries', '/v2/scale_teams/multiple_create', (n) => `{"scale_teams":[${times(n, () => '{}', ',')}]}`),
  json(
    'elements of an attachment',
    '/v2/projects/1/attachments',
    (n) => `{"attachment":{"kind":"link","attachable_attributes":[${times(n, () => '{}', ',')}]}}`,
  ),
  json('letters', '/v2/topics', (n) => `{"topic":{"name":"${'a'.repeat(n)}"}}`),
  json('astral letters', '/v2/topics', (n) => `{"topic":{"name":"${'🎓'.repeat(n)}"}}`),
  json('blanks before a number', '/v2/topics', (n) => `{"topic":{"language_id":"${' '.repeat(n)}x"}}`),
  json('digits', '/v2/topics', (n) => `{"topic":{"language_id":"${'1'.repeat(n)}"}}`),
  json('blanks in a time', '/v2/locations', (n) => `{"location":{"begin_at":"2026-01-01 10:00${' '.repeat(n)}x"}}`),
  json('dots of an address', '/v2/users', (n) => `{"user":{"email":"a@${'a.'.repeat(n)}"}}`),
  json('dashes of a slug', '/v2/cursus', (n) => `{"cursus":{"name":"x","slug":"${'a-'.repeat(n)}"}}`),
  json('a slug of letters to be made', '/v2/cursus', (n) => `{"cursus":{"name":"${'é '.repeat(n)}"}}`),
  json('digits in the name of an application', '/v2/apps', (n) => `{"app":{"name":"a${'1'.repeat(n)}a"}}`),
  json('slashes of an address', '/v2/endpoints', (n) => `{"endpoint":{"url":"https://x.test${'/'.repeat(n)}a"}}`),
  json('parameters of the OAuth endpoints', '/oauth/token', (n) => `{${times(n, (at) => `"key${at}":"1"`, ',')}}`, {
    as: 'nobody',
  }),
  json('white space', '/v2/topics', (n) => `{${' '.repeat(n)}}`),
  document('attributes', '/v2/topics', (n) => attributes(times(n, (at) => `,"key${at}":1`))),
  document(
    'relationships',
    '/v2/topics',
    (n) => `{"data":{"type":"topics","relationships":{${times(n, (at) => `"key${at}":{"data":null}`, ',')}}}}`,
  ),
  document(
    'identifiers',
    '/v2/cursus',
    (n) =>
      `{"data":{"type":"cursus","relationships":{"skills":{"data":[${times(n, (at) => `{"type":"skills","id":"${at}"}`, ',')}]}}}}`,
  ),
  document('levels', '/v2/topics', (n) => attributes(`,"a":${'['.repeat(n)}${']'.repeat(n)}`)),
  document('members beside the data', '/v2/topics', (n) => `{${times(n, (at) => `"key${at}":1`, ',')}}`),
  document(
    'documents',
    '/v2/scale_teams/multiple_create',
    (n) => `{"data":[${times(n, () => '{"type":"scale_teams"}', ',')}]}`,
  ),
  form('fields', '/v2/topics', (n) => times(n, (at) => `topic[key${at}]=1`, '&')),
  form('the same field', '/v2/topics', (n) => times(n, () => 'topic[name]=x', '&')),
  form('elements of a list', '/v2/cursus', (n) => times(n, (at) => `cursus[skill_ids][]=${at}`, '&')),
  form('records in a list', '/v2/users', (n) =>
    times(n, (at) => `user[cursus_users_attributes][][cursus_id]=${at}`, '&'),
  ),
  form('levels', '/v2/users', (n) => `user[meta]${'[a]'.repeat(n)}=1`),
  form('brackets without end', '/v2/users', (n) => `user${'['.repeat(n)}=1`),
  form('letters', '/v2/topics', (n) => `topic[name]=${'%C3%A9'.repeat(n)}`),
  form('blanks', '/v2/topics', (n) => `topic[name]=${'+'.repeat(n)}`),
  form('pluses', '/oauth/token', (n) => `grant_type=${'+'.repeat(n)}`, { as: 'nobody' }),
  form('pluses and letters', '/oauth/revoke', (n) => `token=${'a+'.repeat(n)}`, { as: 'nobody' }),
  form('pluses on a page', '/sign-in', (n) => `login=${'+'.repeat(n)}`, { as: 'browser' }),
  form('separators', '/v2/topics', (n) => '&'.repeat(n)),
  form('parameters of the OAuth endpoints', '/oauth/token', (n) => times(n, (at) => `key${at}=1`, '&'), {
    as: 'nobody',
  }),
  form('scopes', '/oauth/token', (n) => `grant_type=client_credentials&scope=${times(n, (at) => `s${at}`, '+')}`, {
    as: 'nobody',
  }),
  form('a token to revoke', '/oauth/revoke', (n) => `token=${'a'.repeat(n)}`, { as: 'nobody' }),
  parts('fields', '/v2/topics', (n) => times(n, (at) => part(`topic[key${at}]`, '1'))),
  parts('letters', '/v2/topics', (n) => part('topic[name]', 'é'.repeat(n))),
  parts('letters of a name', '/v2/topics', (n) => part(`topic[${'n'.repeat(n)}]`, '1')),
  parts('headers of a part', '/v2/topics', (n) => `--edge\r\n${times(n, (at) => `X-${at}: 1\r\n`)}\r\n1\r\n`),
  parts('half boundaries', '/v2/topics', (n) => part('topic[name]', '\r\n--edg'.repeat(n))),
  parts('empty fields', '/v2/topics', (n) => times(n, () => part('a', ''))),
  parts('parts without names', '/v2/topics', (n) => '--edge\r\n\r\n\r\n'.repeat(n)),
  parts('delimiters', '/v2/topics', (n) => '--edge\r\n'.repeat(n)),
  parts('letters of the name of a file', '/v2/projects/1/attachments', (n) =>
    part('attachment[file]', 'x', `; filename="${'é'.repeat(n)}"`),
  ),
  parts('files', '/v2/projects/1/attachments', (n) => times(n, (at) => part(`f${at}`, 'x', '; filename="x"'))),
  parts('fields beside files', '/v2/projects/1/attachments', (n) => times(n, (at) => part(`attachment[a${at}]`, 'x'))),
  form('fields of a page', '/applications/new', (n) => times(n, (at) => `key${at}=1`, '&'), { as: 'browser' }),
  form('digits in a name', '/applications/new', (n) => `name=a${'1'.repeat(n)}a`, { as: 'browser' }),
  form('redirect addresses', '/applications/new', (n) => `redirect_uris=${'x%0A'.repeat(n)}`, { as: 'browser' }),
  form('choices', '/applications/new', (n) => times(n, (at) => `scopes[]=${at}`, '&'), { as: 'browser' }),
  form('lines of a description', '/applications/new', (n) => `description=${'%0D%0A'.repeat(n)}`, { as: 'browser' }),
  form('letters of a password', '/security/password', (n) => `password=${'é'.repeat(n)}`, { as: 'browser' }),
]

/** Shapes of the other parts of a request. */
export const HEAD_SHAPES: readonly Shape[] = [
  query('values of a filter', '/v2/users', (n) => `filter[id]=${times(n, String, ',')}`),
  query('texts of a filter', '/v2/users', (n) => `filter[login]=${times(n, (at) => `a${at}`, ',')}`),
  query('values of a filter by name', '/v2/deliveries', (n) => `filter[user]=${times(n, (at) => `a${at}`, ',')}`),
  query('values of a filter beside the columns', '/v2/users', (n) => `filter[campus_id]=${times(n, String, ',')}`),
  query('a filter of a graph', '/v2/users/graph', (n) => `filter[id]=${times(n, String, ',')}`),
  query('parts of a filter', '/v2/users', (n) => times(n, (at) => `filter[id][]=${at}`, '&')),
  query('filters', '/v2/users', (n) => times(n, (at) => `filter[f${at}]=1`, '&')),
  query('values of a range', '/v2/users', (n) => `range[id]=${times(n, String, ',')}`),
  query('letters of a range', '/v2/users', (n) => `range[login]=${'a'.repeat(n)},b`),
  query('ranges', '/v2/users', (n) => times(n, (at) => `range[f${at}]=1,2`, '&')),
  query('fields to sort by', '/v2/users', (n) => `sort=${times(n, (at) => (at % 2 ? '-id' : 'login'), ',')}`),
  query('unknown fields to sort by', '/v2/users', (n) => `sort=${times(n, (at) => `f${at}`, ',')}`),
  query('letters of a search', '/v2/users', (n) => `search[name]=${'a'.repeat(n)}`),
  query('words of a search', '/v2/users', (n) => `search[name]=${times(n, (at) => `a${at}`, '+')}`),
  query('unknown parameters', '/v2/users', (n) => times(n, (at) => `key${at}=1`, '&')),
  query('parameters that are nearly known', '/v2/users', (n) => times(n, (at) => `sor${at}=1`, '&')),
  query('a payload', '/v2/topics', (n) => times(n, (at) => `topic[key${at}]=1`, '&'), { method: 'POST' }),
  query('levels', '/v2/users', (n) => `filter${'[a]'.repeat(n)}=1`),
  query('percent-encoded letters', '/v2/users', (n) => `filter[login]=${'%C3%A9'.repeat(n)}`),
  query('digits of a page', '/v2/users', (n) => `page=${'1'.repeat(n)}`),
  query('include paths', '/v2/users', (n) => `include=${times(n, () => 'campus', ',')}`, {
    headers: { accept: 'application/vnd.api+json' },
  }),
  query('names of an include path', '/v2/users', (n) => `include=${times(n, () => 'campus', '.')}`, {
    headers: { accept: 'application/vnd.api+json' },
  }),
  query('sparse fields', '/v2/users', (n) => `fields[users]=${times(n, () => 'login', ',')}`, {
    headers: { accept: 'application/vnd.api+json' },
  }),
  query('sparse types', '/v2/users', (n) => times(n, (at) => `fields[t${at}]=a`, '&'), {
    headers: { accept: 'application/vnd.api+json' },
  }),
  query('scopes of the OAuth endpoints', '/oauth/authorize', (n) => `scope=${times(n, (at) => `s${at}`, '+')}`, {
    as: 'browser',
  }),
  query('parameters of the OAuth endpoints', '/oauth/authorize', (n) => times(n, (at) => `key${at}=1`, '&'), {
    as: 'browser',
  }),
  query('a search of the reference', '/apidoc', (n) => `search=${times(n, (at) => `word${at}`, '+')}`, {
    as: 'nobody',
  }),
  query('pluses', '/v2/users', (n) => `filter[login]=${'+'.repeat(n)}`),
  query('parameters of a page', '/people', (n) => times(n, (at) => `key${at}=1`, '&'), { as: 'browser' }),
  query('letters of a page', '/people', (n) => `search=${'é'.repeat(Math.floor(n / 6))}`, { as: 'browser' }),
  query('words of the reference', '/apidoc/search', (n) => `q=${times(n, (at) => `w${at}`, '+')}`, { as: 'nobody' }),
  header('many', (n) => Object.fromEntries(Array.from({ length: n }, (_, at) => [`x-${at}`, '1']))),
  header('Accept-Language', (n) => ({ 'accept-language': times(n, (at) => `l${at};q=0.${at}`, ',') }), '/sign-in'),
  header('Accept-Encoding', (n) => ({ 'accept-encoding': times(n, (at) => `c${at};q=0.1`, ',') })),
  header('X-Forwarded-For', (n) => ({ 'x-forwarded-for': times(n, (at) => `10.0.0.${at % 256}`, ',') })),
  header('Referer', (n) => ({ referer: `https://x.test/${'a/'.repeat(n)}` }), '/sign-in'),
  header('parameters of Content-Type', (n) => ({
    'content-type': `application/vnd.api+json;${times(n, (at) => `p${at}="x"`, ';')}`,
  })),
  header('a cookie of the language', (n) => ({ cookie: `${'; '.repeat(n)}__Host-campus-language=` }), '/sign-in'),
  header('Accept', (n) => ({ accept: `application/vnd.api+json,${times(n, () => 'a/b;q=0.1', ',')}` })),
  header('quotes in Accept', (n) => ({ accept: `application/vnd.api+json;profile=${'"'.repeat(n)}` })),
  header('parameters of Accept', (n) => ({
    accept: `application/vnd.api+json;${times(n, (at) => `p${at}="x"`, ';')}`,
  })),
  header('If-None-Match', (n) => ({ 'if-none-match': times(n, (at) => `W/"${at}"`, ', ') })),
  header('Prefer', (n) => ({ prefer: times(n, (at) => `p${at}=1`, ', ') })),
  header('Cookie', (n) => ({ cookie: times(n, (at) => `c${at}=1`, '; ') }), '/sign-in'),
  header('blanks in Authorization', (n) => ({ authorization: `Bearer${' '.repeat(n)}x y` })),
  header('letters in Authorization', (n) => ({ authorization: `Bearer ${'x'.repeat(n)}` })),
  header('letters in Basic', (n) => ({ authorization: `Basic ${'QUFB'.repeat(n)}` }), '/oauth/token'),
  header('X-Request-Id', (n) => ({ 'x-request-id': 'a'.repeat(n) })),
  header('Idempotency-Key', (n) => ({ 'idempotency-key': 'a'.repeat(n) })),
  header('Origin', (n) => ({ origin: `https://${'a.'.repeat(n)}` })),
  header('Range', (n) => ({ range: `bytes=${times(n, () => '0-1', ',')}` }), '/files/1'),
  header('User-Agent', (n) => ({ 'user-agent': 'Mozilla/5.0 ('.repeat(n) }), '/sign-in'),
  path('segments', (n) => '/v2'.repeat(n)),
  path('slashes', (n) => `/v2${'/'.repeat(n)}users${'/'.repeat(n)}x`),
  path('letters', (n) => `/v2/${'x'.repeat(n)}`),
  path('letters of a name', (n) => `/v2/users/${'x'.repeat(n)}`),
  path('digits of an id', (n) => `/v2/users/${'1'.repeat(n)}`),
  path('a method that there is not', (n) => `/v2/users/${'x'.repeat(n)}/locations`, 'DELETE'),
  path('an old address of the reference', (n) => `/apidoc/2.0/${'.html'.repeat(n)}`),
]
