import fc from 'fast-check'

/** Segments of paths, and values of parameters, as they go over the wire: not all of them can be decoded. */
export const HOSTILE_TEXTS = [
  ...['', '%00', 'a%00b', '%', '%zz', '%C3%28', '%ED%A0%80', '%ED%BF%BF', '%F4%90%80%80', '%EF%BF%BF', '%E2%80%AE'],
  ...['9223372036854775807', '9223372036854775808', '-9223372036854775809', '18446744073709551616', '2147483648'],
  ...['0', '-1', '1e3', '1.0', '0x10', '1e400', 'NaN', 'Infinity', '-0', '00001', '%201', '1%0A', '٣'].map(encodeURI),
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null', 'undefined', 'true', '%5B%5D', '{}', '[]', '$'],
  ...["'", '%22', '%27%20or%20%271%27%3D%271', '%5C', '%2F', '..%2F..', '*', '%25', '_', ';', '%3C!--', '~'],
  ...['2026-02-30', '2026-13-45T99:99:99Z', '0000-00-00', '-271821-04-20T00:00:00Z', '275760-09-13T00:00:00.001Z'],
  ...['99999-01-01', 'infinity', 'now', 'epoch', '4713-01-01 BC', '24:00', 'a,b', ',', ',,', '-', '-id,-id,-id'],
  ...['%F0%9F%92%A9', '%CC%81'.repeat(50), 'a'.repeat(3000), ','.repeat(10_000), 'id,'.repeat(2000), '.'.repeat(2000)],
]

/** Values within bodies. */
export const HOSTILE_VALUES: readonly unknown[] = [
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\udfff\ud800',
    '\uffff',
    '\u202e',
    'a'.repeat(100_000),
    '__proto__',
    ','.repeat(10_000),
  ],
  ...[0, -1, 0.5, 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 63), 1e308, 5e-324, '9223372036854775808', 'NaN', '1e400'],
  ...['2026-02-30', '275760-09-13T00:00:00.001Z', '-271821-04-20', 'infinity', 'now', '0000-01-01T00:00:00Z'],
  ...[
    null,
    true,
    false,
    [],
    {},
    [[]],
    [null],
    [{}],
    [[[[[]]]]],
    { id: {} },
    { length: 1e9 },
    { toString: 1 },
    { toJSON: 1 },
  ],
  ...[JSON.parse('{"__proto__": {"id": 1}}'), JSON.parse('{"constructor": {"prototype": {"x": 1}}}'), { $ref: '#' }],
  ...[Array.from({ length: 2000 }, () => 1), Array.from({ length: 2000 }, () => ({ id: 1 })), deep(200)],
]

/** Names of query parameters with a value each, and texts that are not even that. */
export const HOSTILE_PARAMETERS = [
  ...[
    'filter[x][y][z]=1',
    'filter[id][]=1',
    'filter[id][0]=1',
    'filter[id][a]=1',
    'filter=1',
    'filter[]=1',
    'filter[=1',
  ],
  ...['filter]=1', 'filter[[id]]=1', 'filter[id]=1&filter[id]=2', 'filter[id]=1&filter=2', 'filter[__proto__]=1'],
  ...[
    'filter[constructor]=1',
    '__proto__[x]=1',
    '__proto__=1',
    'constructor[prototype][x]=1',
    'range[id]=1',
    'range=1,2',
  ],
  ...['range[id]=2,1', 'range[id]=1,2,3', 'range[id]=,', 'range[id]=1,2&range[id]=3,4', 'range[id][]=1&range[id][]=2'],
  ...[
    'range[__proto__]=a,b',
    'search[id]=%25',
    'search[login]=%00',
    'search=x',
    'sort=',
    'sort=-',
    'sort=--id',
    'sort[]=id',
  ],
  ...['sort=id&sort=-id', 'sort=__proto__', 'sort=id,,id', 'page=0', 'page=-1', 'page=1.5', 'page=9223372036854775808'],
  ...[
    'page=1&page=2',
    'page[number]=0',
    'page[size]=0',
    'page[size]=101',
    'page[]=1',
    'page[x]=1',
    'page[number][x]=1',
  ],
  ...[
    'per_page=1000000',
    'per_page=',
    'include=',
    'include=a.b.c.d.e.f',
    'include=__proto__',
    'include[]=user',
    'fields=id',
  ],
  ...[
    'fields[users]=',
    'fields[__proto__]=id',
    'fields[users][x]=id',
    'access_token=x',
    'access_token=',
    'access_token[]=x',
  ],
  ...['&&&', '=', '?', '%', '%=%', '%00=%00', '%ED%A0%80=1', '[]=1', '[', ']', 'a[b', 'x'.repeat(2000)],
  ...[`filter[id]=${','.repeat(10_000)}`, `sort=${'id,'.repeat(3000)}`, `include=${'user,'.repeat(2000)}`],
  ...[Array.from({ length: 1500 }, (_, at) => `a${at}=1`).join('&'), `filter${'[a]'.repeat(1000)}=1`],
]

/** Ends of a multipart body with the boundary `edge`. */
export const HOSTILE_ENDS = [
  ...['', '--', '--edge', '--edge-', '--edge--extra', '\r\n--edge\r\n', '\r\n--edge\r\n\r\n', '\r\n--edge\r\nContent-'],
  '\r\n--edge\r\nContent-Disposition: form-data; name="x"',
  '\r\n--edge\r\nContent-Disposition: form-data; name="x"; filename="a\r\n\r\n',
  '\r\n--edge\r\nContent-Disposition: form-data; name="__proto__[x]"\r\n\r\n1\r\n--edge--\r\n',
  '\r\n--edge\r\nContent-Disposition: form-data; name=""\r\n\r\n1\r\n--edge--\r\n',
  '\r\n--edge\r\nContent-Disposition: form-data\r\n\r\n1\r\n--edge--\r\n',
  '\r\n--edge\r\nContent-Disposition: form-data; name="f"; filename="x"\r\nContent-Type: \r\n\r\n\0\r\n--edge--',
]

/** Headers that are odd, wrong, or not those of the body. */
export const HOSTILE_HEADERS: readonly Readonly<Record<string, string>>[] = [
  ...['', 'text/plain', 'application/json; charset=latin1', 'application/json; charset=', 'json', '/', 'a/b/c'],
  ...['application/x-www-form-urlencoded; charset=utf-16', 'multipart/form-data', 'multipart/form-data; boundary='],
  ...[
    'multipart/form-data; boundary=other',
    `multipart/form-data; boundary=${'b'.repeat(300)}`,
    'application/vnd.api+json',
  ],
  ...['application/vnd.api+json; ext="x"', 'application/vnd.api+json; charset=utf-8', 'application/json'],
]
  .map((type): Readonly<Record<string, string>> => ({ 'content-type': type }))
  .concat(
    [
      '',
      '*/*;q=0',
      'text/html',
      'application/vnd.api+json; ext="x"',
      'application/vnd.api+json;q=9',
      ','.repeat(3000),
    ].map((accept) => ({ accept })),
    ['', ' ', 'x'.repeat(256), '"', '\x80', 'a'].map((key) => ({ 'idempotency-key': key })),
    ['', 'return=', 'return=representation, return=minimal', 'wait=1', ';;;'].map((prefer) => ({ prefer })),
    ['', '*', '"', 'W/', 'W/"x", "y"', ','.repeat(3000)].map((tag) => ({ 'if-none-match': tag })),
    ['', 'Bearer', 'Bearer ', 'Bearer a b', 'Basic x', 'Basic Og==', `Bearer ${'t'.repeat(3000)}`, 'Digest x="'].map(
      (one) => ({
        authorization: one,
      }),
    ),
    [
      { 'x-http-method-override': 'DELETE' },
      { 'content-encoding': 'gzip' },
      { range: 'bytes=9-1' },
      { range: 'bytes=-' },
    ],
    [{ 'x-request-id': '\x80'.repeat(300) }, { origin: 'null' }, { 'accept-language': ';;q=,' }],
  )

/** Text of any kind that no field expects. */
export const oddText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => encodeURIComponent(text.toWellFormed())),
)
export const oddValue = fc.oneof(
  fc.constantFrom(...HOSTILE_VALUES),
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.double(),
)

function deep(depth: number): unknown {
  return Array.from({ length: depth }).reduce((inner) => ({ a: inner }), 1)
}
