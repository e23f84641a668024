import type { Part } from '@campus/intranet/server/part'
import { MCP_PATH } from './mcp/path.ts'

/** A call has a few names and values, and texts of a person. */
const MAX_BODY_BYTES = 262_144

/** The Model Context Protocol at /mcp, and `campus mcp`. */
export const part: Part = {
  name: 'assistants',
  commands: [{ after: 'watch', load: async () => (await import('./command.ts')).addMcpCommand }],
  routes: {
    // Without sessions the path has no other method.
    declared: [{ method: 'POST', path: MCP_PATH, bodyLimit: MAX_BODY_BYTES }],
    async open({ config: { baseUrl }, metrics: all, findToken, guides, ...api }) {
      const { AssistantMetrics } = await import('./mcp/metrics.ts')
      const metrics = new AssistantMetrics()
      all.add(() => metrics.collect())
      const load = async () => {
        const { boundTo } = await import('@campus/intranet/oauth/tokens')
        const { mcpRoute } = await import('./mcp/mount-mcp.ts')
        return mcpRoute({ ...api, baseUrl, metrics, findCaller: boundTo(MCP_PATH, findToken), guides: guides() })
      }
      return { load }
    },
  },
}
