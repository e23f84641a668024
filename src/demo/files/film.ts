import { writeWebm } from './write-webm.ts'

const WIDTH = 320
const HEIGHT = 180
const FRAMES = 12
const MILLISECONDS_PER_FRAME = 500
const GROUND = Buffer.from([34, 64, 115])
const SUN = Buffer.from([245, 185, 60])
const RADIUS = 26

/** Six seconds of a sun that rises and sets, in WebM. */
export async function drawFilm(): Promise<Buffer> {
  const moments = Array.from({ length: FRAMES }, (_, index) => (index + 0.5) / FRAMES)
  const frames = await Promise.all(moments.map(drawFrame))
  return writeWebm({ width: WIDTH, height: HEIGHT, frames, millisecondsPerFrame: MILLISECONDS_PER_FRAME })
}

/** How it looks when so much of the film is over, from 0 to 1. */
async function drawFrame(progress: number): Promise<Buffer> {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * GROUND.length, GROUND)
  const centre = Math.round(RADIUS + (WIDTH - 2 * RADIUS) * progress)
  const middle = Math.round(HEIGHT - RADIUS - Math.sin(progress * Math.PI) * (HEIGHT - 2 * RADIUS))
  for (let up = -RADIUS; up < RADIUS; up += 1) {
    const half = Math.floor(Math.sqrt(RADIUS ** 2 - up ** 2))
    const row = (middle + up) * WIDTH
    pixels.fill(SUN, (row + centre - half) * SUN.length, (row + centre + half) * SUN.length)
  }
  const { default: sharp } = await import('sharp')
  const raw = { width: WIDTH, height: HEIGHT, channels: 3 } as const
  return vp8In(await sharp(pixels, { raw }).webp({ quality: 70, effort: 0 }).toBuffer())
}

/** A lossy WebP picture holds one frame of VP8. */
function vp8In(webp: Buffer): Buffer {
  for (let at = 12; at + 8 <= webp.length; ) {
    const size = webp.readUInt32LE(at + 4)
    if (webp.toString('latin1', at, at + 4) === 'VP8 ') return webp.subarray(at + 8, at + 8 + size)
    at += 8 + size + (size % 2)
  }
  throw new Error('the picture holds no frame of VP8')
}
