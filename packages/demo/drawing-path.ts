import type { DrawingKind } from './drawings.ts'

export const drawingPath = (kind: DrawingKind, name: string): string => `/uploads/${kind}/${name}.svg`
