/** Target of the clients, with a token for each of them. */
export type StreamTarget = { readonly url: string; readonly path: string; readonly tokens: readonly string[] }

export type ToStreamServer =
  | { readonly kind: 'memory' }
  | { readonly kind: 'change'; readonly side: 'ours' | 'bare'; readonly text: string }
  | { readonly kind: 'write' }

export type WriteLine = {
  readonly name: string
  readonly captured: number
  readonly plain: number
  readonly ratio: number
}

export type FromStreamServer =
  | { readonly kind: 'ready'; readonly ca: string; readonly ours: StreamTarget; readonly bare: StreamTarget }
  | { readonly kind: 'memory'; readonly rss: number; readonly heap: number }
  /** `at` is when the change was committed, in milliseconds since 1970. */
  | { readonly kind: 'changed'; readonly at: number }
  | { readonly kind: 'written'; readonly lines: readonly WriteLine[] }
