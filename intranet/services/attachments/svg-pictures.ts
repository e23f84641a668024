import { isOneOf, namesOf } from '@campus/engine/base/narrow'
import { notFound } from '@campus/engine/errors'
import type { FastifyReply } from 'fastify'
import { PICTURE_SIZES, SIZE_PREFIX } from './picture-sizes.ts'

/** Content of an SVG that is 100 units wide. */
export type Drawing = { readonly height: number; readonly content: string }

const CONTENT_TYPE = 'image/svg+xml; charset=utf-8'
const HEADERS = {
  'cache-control': 'public, max-age=86400',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

/** Name of a picture, such as `medium_ada.svg`. An SVG looks alike in each size. */
const FILE = new RegExp(`^${SIZE_PREFIX}([^_]+)\\.svg$`, 'u')

/** Sends the drawing of the name in `file`. Throws 404 if there is none. */
export function sendDrawing(
  reply: FastifyReply,
  file: string,
  draw: (name: string) => Drawing | undefined,
): FastifyReply {
  const [, size = 'medium', name] = FILE.exec(file) ?? []
  const drawing = name === undefined ? undefined : draw(name)
  if (drawing === undefined) throw notFound('There is no such picture.')
  const { height, content } = drawing
  const width = isOneOf(namesOf(PICTURE_SIZES), size) ? PICTURE_SIZES[size] : PICTURE_SIZES.medium
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${(width * height) / 100}" viewBox="0 0 100 ${height}">${content}</svg>`
  return reply.headers(HEADERS).type(CONTENT_TYPE).send(svg)
}

/** A `fill` attribute. */
export const fill = (hue: number, saturation: number, lightness: number): string =>
  `fill="hsl(${hue} ${saturation}% ${lightness}%)"`

export const square = (content: string): Drawing => ({ height: 100, content })
