import type { World } from '../support/campus.ts'

/** Every address of the API, as the OpenAPI document writes it: `/v2/users/{user_id}/slots`. */
export async function servedPaths(world: World): Promise<readonly string[]> {
  return Object.keys((await world.visitor.get('/v2/openapi.json')).json.paths)
}
