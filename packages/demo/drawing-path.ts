import type { DrawingKind } from './drawings.ts'

/** The address of a drawing below the service's own. It depends on the name alone. */
export const drawingPath = (kind: DrawingKind, name: string): string => `/uploads/${kind}/${name}.svg`
