import assert from 'node:assert/strict'
import { FormData, fetch } from 'undici'
import type { World } from './campus.ts'

export type Page = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The text of the first heading. */
  readonly heading: string | undefined
  /** Target of a redirect, or of a page that continues by itself. */
  readonly location: string | undefined
}

type Fields = Readonly<Record<string, string | readonly string[]>>

/** A browser without a screen: keeps cookies, fills in forms, follows nothing by itself. */
export type Visitor = {
  readonly cookies: Map<string, string>
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Page>
  /** Sends a form as it stands, with nothing added. */
  post(path: string, fields: Fields, headers?: Readonly<Record<string, string>>): Promise<Page>
  /** Opens a page and sends its form to the given path (by default its own), with the page's CSRF token. */
  submit(path: string, fields: Fields, action?: string): Promise<Page>
  /** Opens a page and sends its form as multipart, with files. */
  upload(path: string, fields: Readonly<Record<string, string | Blob>>): Promise<Page>
  /** Signs in, and asserts that it worked. Gives the page that followed. */
  signIn(login: string, password: string, returnTo?: string): Promise<Page>
}

/** A new visitor, who has no cookies yet, at an address of theirs where the world trusts this machine as a proxy. */
export function visitorOf({ url, agent }: Pick<World, 'url' | 'agent'>, address?: string): Visitor {
  const cookies = new Map<string, string>()
  const forwarded = address === undefined ? {} : { 'x-forwarded-for': address }

  async function request(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string | FormData,
  ) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(new URL(path, url), {
      method,
      redirect: 'manual',
      dispatcher: agent,
      headers: { accept: 'text/html', ...forwarded, ...(cookie ? { cookie } : {}), ...headers },
      ...(body === undefined ? {} : { body }),
    })
    for (const line of response.headers.getSetCookie()) keep(cookies, line)
    // Unlike `text()`, keeps a byte order mark.
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer())
    return {
      status: response.status,
      headers: response.headers as unknown as Headers,
      text,
      heading: decode(/<h1>([^<]*)<\/h1>/.exec(text)?.[1]),
      location:
        response.headers.get('location') ?? decode(/http-equiv="refresh" content="0; url=([^"]*)"/.exec(text)?.[1]),
    }
  }

  const visitor: Visitor = {
    cookies,
    get: (path, headers = {}) => request('GET', path, headers),
    post: (path, fields, headers = {}) => {
      const type = { 'content-type': 'application/x-www-form-urlencoded' }
      return request('POST', path, { ...type, origin: new URL(url).origin, ...headers }, encode(fields))
    },
    async submit(path, fields, action = path) {
      const page = await visitor.get(path)
      return visitor.post(action, { csrf_token: csrfTokenIn(page), ...fields })
    },
    async upload(path, fields) {
      const form = new FormData()
      form.set('csrf_token', csrfTokenIn(await visitor.get(path)))
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      return request('POST', path, { origin: new URL(url).origin }, form)
    },
    async signIn(login, password, returnTo = '/') {
      const page = await visitor.submit(`/sign-in?return_to=${encodeURIComponent(returnTo)}`, { login, password })
      assert.ok(page.location, `${login} could not sign in: ${page.status} ${page.text}`)
      return page
    },
  }
  return visitor
}

/** The token in the forms of a page. */
export function csrfTokenIn({ status, text }: Page): string {
  const token = /name="csrf_token" value="([^"]+)"/.exec(text)?.[1]
  assert.ok(token, `the page (${status}) has no form: ${text}`)
  return token
}

function encode(fields: Fields): string {
  const pairs = Object.entries(fields).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : value.map((one) => [`${name}[]`, one]),
  )
  return new URLSearchParams(pairs).toString()
}

function keep(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name)
  else cookies.set(name, value)
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

const decode = (text: string | undefined) => text?.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ENTITIES[name] ?? '')
