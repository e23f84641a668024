/** The bundled command. */
export const BUILT: string
/** Returns whether the bundle is newer than every source. */
export function isBuilt(): boolean
