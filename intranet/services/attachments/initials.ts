import type { FastifyInstance } from 'fastify'
import { type Drawing, fill, sendDrawing, square } from './svg-pictures.ts'

const FOLDER = '/uploads/initials/'
export const INITIALS_ROUTE = { method: 'GET', path: `${FOLDER}:name` } as const

/** Serves the initials of users without a picture. Nothing is stored or looked up. */
export function mountInitials(app: FastifyInstance): void {
  app.get<{ Params: { name: string } }>(INITIALS_ROUTE.path, { config: { isAsset: true } }, async (request, reply) =>
    sendDrawing(reply, request.params.name, draw),
  )
}

const COLOURS = 12
const NAME = /^([\p{L}\p{N}]{1,2})-(\d{1,2})$/u

/** Draws the letters of a file name on its colour. Many users share a picture. */
function draw(name: string): Drawing | undefined {
  const [, letters, colour] = NAME.exec(name) ?? []
  if (letters === undefined) return undefined
  const hue = (Number(colour) % COLOURS) * (360 / COLOURS)
  return square(`<rect width="100" height="100" ${fill(hue, 42, 38)}/>
<text x="50" y="52" font-family="system-ui, sans-serif" font-size="${letters.length > 1 ? 42 : 50}" font-weight="600" text-anchor="middle" dominant-baseline="central" fill="#fff">${letters}</text>`)
}

type Named = { readonly login: string; readonly displayname: string }

/** Returns the address of the initials of a user. The login determines the colour. */
export function initialsPath({ login, displayname }: Named): string {
  const words = displayname.split(/[\s_-]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word))
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0] ?? login]
  const letters = ends
    .flatMap((word) => [...(word ?? '')].slice(0, 1))
    .join('')
    .toUpperCase()
  return `${FOLDER}${encodeURIComponent(/^[\p{L}\p{N}]{1,2}$/u.test(letters) ? letters : '0')}-${colourOf(login)}.svg`
}

/** Reports whether an address is one of initials. */
export const isOfInitials = (address: string): boolean => address.includes(FOLDER)

const colourOf = (login: string): number =>
  [...login].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973, 7) % COLOURS
