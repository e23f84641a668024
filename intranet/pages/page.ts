import type { LookAgain } from '@campus/engine/changes/streams/page-notices'
import type { PageWatch } from '@campus/engine/changes/streams/watch-in-process'
import { type FieldErrors, HttpError } from '@campus/engine/errors'
import type { Caller } from '@campus/engine/http/caller'
import type { StreamForm } from '@campus/engine/http/stream-types'
import { withByteOrderMark } from '@campus/engine/rest/export/csv'
import type { Call } from '@campus/engine/rest/in-process'
import type { Form } from './form.ts'
import type { Html } from './html.ts'
import type { PageContext, PersonPageContext } from './page-context.ts'

/** Audience of a page: everybody, signed-in users, also users who must set up a second factor, or staff. */
export type PageAccess = 'anybody' | 'signed-in' | 'enrolling' | 'staff'

/** A page to show. */
export type PageContent = {
  readonly kind: 'view'
  readonly title: string
  readonly main: Html
  readonly status: number
  /** One narrow column, for a page that is one form. */
  readonly isNarrow: boolean
  /** Frame of the page: the site, only its name for a page with one question, or none for a screen at the wall. */
  readonly frame: 'site' | 'bare' | 'none'
  /** The pages between that of the navigation and this one. */
  readonly trail: readonly { readonly path: string; readonly label: string }[]
  /** Addresses of our scripts, without which the page works as well. */
  readonly scripts: readonly string[]
  /** Whether submitting a form of this page may redirect to an application. */
  readonly leadsToApplication: boolean
  /** CSP sources that may frame this page. */
  readonly frameAncestors: readonly string[]
  /** The value of `Referrer-Policy`. */
  readonly referrerPolicy: 'same-origin' | 'origin'
  /** CSP sources of pictures beside our own, such as `blob:`. */
  readonly imageSources: readonly string[]
  /** Stylesheets of ours beside that of all pages. */
  readonly stylesheets: readonly string[]
  /** Target of a redirect. */
  readonly refreshTo: string | undefined
}

/** A redirect, with a flash message. */
export type Redirect = { readonly kind: 'redirect'; readonly to: string; readonly notice: string | undefined }

/** A file to download, as a stream. CSV begins with a byte order mark. */
export type Download = {
  readonly kind: 'download'
  readonly name: string
  readonly type: string
  readonly parts: AsyncIterable<string>
}

/** A fragment or data for a script, without the frame of a page. */
export type Part = { readonly kind: 'part'; readonly type: string; readonly text: string }

/** Changes of a list of the API, as they come. */
export type Watch = { readonly kind: 'watch' } & Pick<PageWatch, 'caller' | 'address' | 'holder'>

/** A whole list of the API as a file. */
export type WholeList = {
  readonly kind: 'list'
  readonly caller: Caller
  readonly call: Call
  readonly form: StreamForm
}

export type Outcome = PageContent | Redirect | Download | Part | Watch | WholeList

type PageOptions = Partial<Omit<PageContent, 'kind' | 'title' | 'main'>>

export const pageContent = (title: string, main: Html, options: PageOptions = {}): PageContent => ({
  kind: 'view',
  title,
  main,
  status: 200,
  isNarrow: false,
  frame: 'site',
  trail: [],
  scripts: [],
  leadsToApplication: false,
  frameAncestors: [],
  referrerPolicy: 'same-origin',
  imageSources: [],
  stylesheets: [],
  refreshTo: undefined,
  ...options,
})

export const redirectTo = (to: string, { notice }: { readonly notice?: string } = {}): Redirect => ({
  kind: 'redirect',
  to,
  notice,
})

/** Returns a download of CSV. The first of the lines has the names of the columns. */
export const downloadCsv = (name: string, lines: AsyncIterable<string>): Download => ({
  kind: 'download',
  name,
  type: 'text/csv; charset=utf-8',
  parts: withByteOrderMark(lines),
})

export const watchOf = (watch: Omit<Watch, 'kind'>): Watch => ({ kind: 'watch', ...watch })

export const wholeList = (caller: Caller, call: Call, form: StreamForm): WholeList => ({
  kind: 'list',
  caller,
  call,
  form,
})

export const part = (type: string, text: string): Part => ({ kind: 'part', type, text })

/** The initial fields of a form: what was filled in before, and its errors. */
export type FormState = { readonly form: Form | undefined; readonly errors: FieldErrors }

/** One line of the table in `pages/index.ts`. */
export type PageRoute = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly access: PageAccess
  /** False where opening the page uses something up or issues something, which a HEAD must not do. */
  readonly hasHead: boolean
  /** When it is to be looked at again, where it is asked for as a stream of events. */
  readonly isLive: LookAgain | undefined
  /** The field of the form that takes a picture, if one does. */
  readonly fileField: string | undefined
  /** Whether a form without our token is a request of an application, which is redirected to the page with its fields. */
  readonly takesForeignForms: boolean
  /** Explains a form whose token is stale, as when a result is reloaded after the key was renewed. Must change nothing. */
  readonly showStale: ((context: PageContext) => Promise<Outcome | undefined>) | undefined
  /** The form is empty for GET. */
  readonly answer: (context: PageContext, form: Form) => Promise<Outcome>
}

type ContextFor<Access extends PageAccess> = Access extends 'anybody' ? PageContext : PersonPageContext
type Answer<Access extends PageAccess, Rest extends unknown[]> = (
  context: ContextFor<Access>,
  ...rest: Rest
) => Outcome | Promise<Outcome>

type Common<Access extends PageAccess> = {
  readonly path: string
  readonly access: Access
  readonly hasHead?: boolean
  readonly isLive?: LookAgain
  readonly fileField?: string
  readonly takesForeignForms?: boolean
}

/** The route was mounted with its access, so a user is signed in where that requires it. */
function admitted<Access extends PageAccess>(context: PageContext): ContextFor<Access>
function admitted(context: PageContext): PageContext {
  return context
}

/** A page to read. */
export const page = <Access extends PageAccess>(
  options: Common<Access> & { readonly show: Answer<Access, []> },
): readonly PageRoute[] => [
  { ...common(options), method: 'GET', answer: async (context) => options.show(admitted<Access>(context)) },
]

/**
 * A page with a form that is sent to the page's own path. What `submit` refuses with 422 is shown beside the fields, by
 * the same `show`, with what was filled in.
 */
export const formPage = <Access extends PageAccess>(
  options: Common<Access> & {
    readonly show: Answer<Access, [state: FormState]>
    readonly submit: Answer<Access, [form: Form]>
    readonly showStale?: (context: ContextFor<Access>) => Promise<Outcome | undefined>
  },
): readonly PageRoute[] => {
  const { show, submit, showStale } = options
  return [
    {
      ...common(options),
      method: 'GET',
      answer: async (context) => show(admitted<Access>(context), { form: undefined, errors: {} }),
    },
    {
      ...common(options),
      method: 'POST',
      showStale: showStale && ((context) => showStale(admitted<Access>(context))),
      async answer(context, form) {
        try {
          return await submit(admitted<Access>(context), form)
        } catch (error) {
          if (!(error instanceof HttpError && error.errors)) throw error
          const again = await show(admitted<Access>(context), { form, errors: error.errors })
          return again.kind === 'view' ? { ...again, status: error.status } : again
        }
      },
    },
  ]
}

/** A form without fields of its own to fill in, such as a button that ends something. */
export const formAction = <Access extends PageAccess>(
  options: Common<Access> & { readonly submit: Answer<Access, [form: Form]> },
): readonly PageRoute[] => [
  {
    ...common(options),
    method: 'POST',
    answer: async (context, form) => options.submit(admitted<Access>(context), form),
  },
]

const common = <Access extends PageAccess>(options: Common<Access>) => ({
  path: options.path,
  access: options.access,
  hasHead: options.hasHead ?? true,
  isLive: options.isLive,
  fileField: options.fileField,
  takesForeignForms: options.takesForeignForms ?? false,
  showStale: undefined,
})
