import { initialsPath } from '../services/attachments/initials.ts'
import { inSize, type PictureSize } from '../services/attachments/picture-sizes.ts'
import { type Html, html } from './html.ts'
import { pictureAddressOf } from './picture-source.ts'

export type Face = {
  readonly login: string
  readonly displayname?: string | undefined
  readonly image?: string | null | { readonly link: string | null } | undefined
}

/** Shown size in CSS pixels and picture size, which allows for twice the pixel density. */
const SHOWN = { '': [32, 'micro'], medium: [40, 'micro'], large: [112, 'medium'] } as const satisfies Readonly<
  Record<string, readonly [number, PictureSize]>
>

/** Renders a person's picture or initials, hidden from screen readers because the name stands beside it. */
export function avatar(face: Face, size: keyof typeof SHOWN = ''): Html {
  const [pixels, version] = SHOWN[size]
  return html`<img class="avatar ${size}" src="${facePath(face, version)}" alt="" width="${pixels}" height="${pixels}" loading="lazy">`
}

export const facePath = (face: Face, size: PictureSize): string => inSize(pictureOf(face), size)

function pictureOf({ login, displayname = login, image }: Face): string {
  return (
    ownPicture(typeof image === 'string' ? image : image?.link) ??
    pictureAddressOf(initialsPath({ login, displayname }))
  )
}

/** Returns the address of a picture of this service. Other services would see who looks at whom. */
export function ownPicture(address: string | null | undefined): string | undefined {
  const path = address?.slice(address.lastIndexOf('/uploads/'))
  return path?.startsWith('/uploads/') ? pictureAddressOf(path) : undefined
}
