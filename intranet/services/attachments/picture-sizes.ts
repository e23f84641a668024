/** Widths in pixels of the smaller versions of a picture. */
export const PICTURE_SIZES = { large: 800, medium: 400, small: 200, micro: 80 } as const
/** Media types of the formats, the smallest files first. */
export const PICTURE_TYPES = { avif: 'image/avif', webp: 'image/webp', jpeg: 'image/jpeg' } as const
export type PictureFormat = keyof typeof PICTURE_TYPES
export type PictureSize = keyof typeof PICTURE_SIZES

/** Prefix of a picture's file name for each size. */
export const SIZE_PREFIX = `(?:(${Object.keys(PICTURE_SIZES).join('|')})_)?`

/** Returns the address of a picture in another size. */
export const inSize = (path: string, size: PictureSize): string => path.replace(/[^/]*$/, (file) => `${size}_${file}`)
