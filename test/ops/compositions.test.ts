import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { readConfig } from '@campus/intranet/settings/config'
import ipaddr from 'ipaddr.js'
import { parse } from 'yaml'

type Service = {
  readonly image: string
  readonly ports?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

const PUBLISHED = [
  { env: {}, address: 'https://localhost:8443', port: '8443' },
  {
    env: { CAMPUS_BASE_URL: 'https://campus.example.org', PUBLISHED_PORT: '443' },
    address: 'https://campus.example.org',
    port: '443',
  },
  { env: { CAMPUS_BASE_URL: 'https://proxy.example.org' }, address: 'https://proxy.example.org', port: '8443' },
] as const

/** Settings for addresses. Other settings refer to files with secrets, which do not exist here. */
const ADDRESS_SETTINGS = ['CAMPUS_BASE_URL', 'CAMPUS_TLS', 'CAMPUS_TRUSTED_PROXIES']

const configOf = ({ environment = {} }: Service) =>
  readConfig(Object.fromEntries(Object.entries(environment).filter(([name]) => ADDRESS_SETTINGS.includes(name))))

/** Networks from which Docker and Podman by default give containers their addresses. */
const POOLS = [
  ...['172.17.0.0/16', '172.18.0.0/16', '172.19.0.0/16', '172.20.0.0/14', '172.24.0.0/14', '172.28.0.0/14'],
  ...['192.168.0.0/16', '10.88.0.0/16', '10.89.0.0/16', '10.90.0.0/15', '10.92.0.0/14', '10.96.0.0/11', '10.128.0.0/9'],
]

/** Replaces `${NAME:-default}`, but no nested defaults, which the podman-compose of Debian 12 does not support. */
const interpolate = (text: string, env: Readonly<Record<string, string>>) =>
  text.replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (_, name, byDefault = '') => env[name] ?? byDefault)

const covers = (networks: readonly string[], pool: string) => {
  const [address, bits] = ipaddr.parseCIDR(pool)
  return networks.some((network) => {
    const [start, length] = ipaddr.parseCIDR(network)
    return length <= bits && address.kind() === start.kind() && address.match([start, length])
  })
}

const files = globSync(['*compose*.y{a,}ml', '{ops,examples,docs,bench,test,clients}/**/*compose*.y{a,}ml'])
assert.ok(files.length >= 2)

for (const file of files) {
  describe(file, async () => {
    const text = await readFile(file, 'utf8')
    const servicesWith = (env: Readonly<Record<string, string>>) =>
      Object.values<Service>(parse(interpolate(text, env), { merge: true }).services)
    const isCampus = ({ image }: Service) => image === 'campus-intranet'

    for (const { env, address, port } of PUBLISHED) {
      it(`has the address and publishes the port that follow from ${JSON.stringify(env)}`, () => {
        const services = servicesWith(env)
        const published = services.flatMap(({ ports = [] }) => ports.map((port) => port.split(':')[0]))
        const addresses = services.filter(isCampus).map((service) => configOf(service).baseUrl)
        assert.deepEqual([new Set(addresses), published], [new Set([address]), [port]])
      })
    }

    it('trusts every network of Docker and Podman if a proxy publishes the port, and no proxy otherwise', () => {
      for (const service of servicesWith({}).filter(isCampus)) {
        const { trustedProxies } = configOf(service)
        const missing = POOLS.filter((pool) => !covers(trustedProxies, pool))
        assert.deepEqual(missing, service.ports === undefined ? [] : POOLS)
      }
    })
  })
}
