import type { Action, ActionInput, Created, FoundAssociation, QueryAction, Renderer, Values } from '../../actions.ts'
import type { Message } from '../../base/languages/say.ts'
import type { Aggregates, DeclaredAggregates } from '../../database/aggregates.ts'
import type { Handle } from '../../database/database.ts'
import type { FieldErrors, HttpError } from '../../errors.ts'
import type { Access } from './access.ts'
import type { Association, JoinTable, ThroughOne } from './association.ts'
import type { Calls } from './calls.ts'
import type { ChangeCondition } from './change-condition.ts'
import type { Column, Field, Parameter } from './fields/field.ts'
import type { SqlValue } from './fields/kinds.ts'
import type { CustomFilter } from './filters.ts'
import type { CreateValues, UpdateValues } from './payload-values.ts'

/** A resource. Its routes, statements, JSON and documents are derived from the declaration. */
export type Declaration<F extends Record<string, Field>, P extends Payload<F> = Payload<F>> = {
  /** Name in paths and documents: `books`, `loans`. It is also the table unless `table` is set. */
  readonly name: string
  /** Key that wraps a payload. Defaults to the name without its last letter. */
  readonly singular?: string
  /** Alias of the name in paths: `user` in `/v2/user/:id`. */
  readonly alsoNamed?: string
  readonly summary: string
  readonly table?: string
  /** Fields by name, in the order of the JSON. */
  readonly fields: F
  /** Representations besides `record`, which has every field that is not hidden. */
  readonly representations?: Readonly<Record<string, Names<F>>>
  /** Fields sent to webhooks and the change feed, if they differ from `record`. */
  readonly webhook?: WebhookFields
  /** Representation that each action answers. Defaults to `record`. */
  readonly answers?: Readonly<Partial<Record<'index' | 'show' | 'create', string>>>
  /** Wraps each record as `{ singular: record }`. */
  readonly wrapped?: boolean
  /** Column that identifies a record in paths besides the id: a slug or a login. */
  readonly identifiedBy?: Name<F>
  /** Embeds records of this small table from memory. */
  readonly cachedInMemory?: boolean
  /** Reason why a mirror of another service does not copy these records, in one clause. */
  readonly unmirrored?: string
  /** Grows with users and years. No list request may read the whole table, so lists need indexes. */
  readonly large?: boolean
  /** Records changes by groups of rows, so that a cached record outlives changes of most others. */
  readonly recordsRows?: boolean
  /** Counts that triggers maintain, so that totals of large tables are fast. */
  readonly aggregates?: DeclaredAggregates
  /** Describes texts that remain when a user is anonymized, since they do not identify the user. */
  readonly retainedTexts?: string
  /** Defaults to the id alone for `embeddedOnly` resources. */
  readonly index?: Index<F>
  /** Column with a time zone: the default zone of graphs below the record. */
  readonly timeZone?: Name<F>
  readonly graph?: { readonly fields: readonly Name<F>[]; readonly default: Name<F> }
  readonly parents?: readonly DeclaredParent[]
  readonly views?: readonly ListView[]
  /** Adds `POST /v2/search/<name>`: the list, requested in the body, in this representation. */
  readonly searched?: { readonly access: Access; readonly representation: string }
  /** Path that shows the record to the user of the token. */
  readonly owner?: { readonly path: string; readonly representation: string }
  /** Hides a single record from callers without this access while the column is set. Lists still name the record. */
  readonly restricted?: { readonly whileSet: Name<F>; readonly access: Access }
  /**
   * Hides records whose column `unless` is not true (all records without `unless`) from callers without this access.
   * Callers who have the access only for their own records see those whose column `application` refers to the calling
   * application.
   */
  readonly concealed?: { readonly unless?: Name<F>; readonly application?: Name<F>; readonly access: Access }
  /** Fields that clients write. Defaults to all if there is a `create` or `update` action. */
  readonly payload?: P
  /** Parents locked before the record, by reference or join table (docs/architecture.md, Order of locks). */
  readonly lockedAfter?: readonly (Name<F> | Links)[]
  /** Throws unless the caller may write the record. Runs before each write and after an insert or update. */
  readonly authorize?: Authorize
  /** Events of webhooks and the change feed besides `create`, `update` and `destroy`. */
  readonly events?: Readonly<Record<string, ChangeCondition<Name<F>>>>
  /** Changes about which receivers are called (spec: webhooks 1). */
  readonly calls?: Calls<Name<F>>
  /** References that do not restrict deletion. */
  readonly dependents?: Dependents
  readonly actions: Actions<CreateValues<F, P>, UpdateValues<F, P>> | typeof embeddedOnly
}

export type WebhookFields = {
  /** Fields instead of those of `record`. */
  readonly instead?: Readonly<Record<string, Field>>
  /** Fields after those of `record`. */
  readonly adds?: Readonly<Record<string, Field>>
  /** Fields of the representation `in_webhook`, for embedded records. They follow those of `besides`. */
  readonly embedded?: Readonly<Record<string, Field>>
  readonly besides?: string
}

/** `id` is 0 before the record exists. */
export type Authorize = (tx: Handle, input: Pick<ActionInput, 'id' | 'values' | 'caller'>) => Promise<void>

/** Columns that refer to a deleted record, as `table.column`. */
type Dependents = {
  /** Their rows are deleted. */
  readonly deleted?: readonly string[]
  /** They are set to null. */
  readonly released?: readonly string[]
}

/** A resource without routes. Its records are parts of other records. */
export const embeddedOnly = 'embedded only'

type Name<F> = keyof F & string
/** Names of fields: a list, or the default list in the order of the declaration, minus `except` and plus `and`. */
export type Names<F> = readonly Name<F>[] | { readonly except: readonly Name<F>[]; readonly and?: readonly Name<F>[] }

/** Sorts, filters and ranges of a list (spec: lists 26). */
type Index<F> = {
  /** Defaults to all columns. */
  readonly sort?: Names<F>
  /** Defaults to `-id`. */
  readonly defaultSort?: readonly (Name<F> | `-${Name<F>}`)[]
  /** Defaults to `sort`. */
  readonly filter?: Names<F>
  /** Defaults to `sort`. */
  readonly range?: Names<F>
  readonly customFilters?: Readonly<Record<string, CustomFilter>>
  /** Columns in which `search[name]=text` looks. */
  readonly search?: Readonly<Record<string, readonly Name<F>[]>>
  /** Sorts and filters of a large table without an index, because they are rare and each index slows writes. */
  readonly unindexed?: Names<F>
}

/** Routes below other records: `/v2/users/:user_id/loans`. */
export type Parent = {
  readonly chain: readonly { readonly resource: string; readonly association: Association | FoundAssociation }[]
  readonly actions: readonly NestedAction[]
  /** Last segment of the path, such as `as_corrector`. */
  readonly suffix?: string | undefined
  /** Replaces the resource's name in the path, as in `register`. */
  readonly as?: string | undefined
  /** Representation of the list. Defaults to that of the index. */
  readonly representation?: string | undefined
  /** Adds routes below `/v2/me`, for the user of the token, or has only these. */
  readonly me?: boolean | 'only' | undefined
  /** Adds a parameter to the resource's own list: `?bloc_id=3`. */
  readonly asParameter?: boolean | undefined
  readonly only?: readonly [name: string, value: string] | undefined
  readonly parameters?: ListParameters | undefined
  /** Replaces the association and filter for tokens of users. */
  readonly forPersons?: ForPersons | undefined
}

/** An association may be left out if only one column refers to the parent. */
export type DeclaredParent = Omit<Parent, 'chain'> & {
  readonly chain: readonly {
    readonly resource: string
    readonly association?: Association | FoundAssociation | undefined
  }[]
}

export type ForPersons = { readonly association: Association; readonly only: readonly [name: string, value: string] }

/** `only` shows the only record below the parent, without an id in the path. */
export type NestedAction = 'index' | 'graph' | 'show' | 'only' | 'create' | 'update' | 'destroy' | 'members'

/** The index at another path, with a filter set. */
export type ListView = {
  readonly path: string
  readonly filter: readonly [name: string, value: string]
  readonly access: Access
  readonly parameters?: ListParameters
}

export type ListParameters = {
  readonly named: Readonly<Record<string, ListParameter>>
  /** Checks the parameters together. Returns the invalid one and its error. */
  readonly together?: (
    values: Readonly<Record<string, SqlValue>>,
  ) => readonly [name: string, fault: Message] | undefined
}

export type ListParameter = QueryParameter & {
  /** Filter that the parameter sets, or column whose minimum or maximum it sets. */
  readonly asks: { readonly filter: string } | { readonly from: string } | { readonly upTo: string }
}

export type QueryParameter = Column & {
  readonly required?: boolean
  readonly example?: string | number
}

/** A payload field without a column. */
export type ExtraParameter = Parameter & {
  readonly ignored?: boolean
  /** Returns SQL that holds if the value would change nothing of a row. `value` is SQL of the field's kind. */
  readonly rowEquals?: (row: string, value: string) => string
}

export type Payload<F> = {
  /** Defaults to all columns except those that the database sets (`DATABASE_COLUMNS`). */
  readonly accepts?: Names<F>
  /** Fields this payload requires besides those marked `required`. */
  readonly requires?: readonly Name<F>[]
  /** Fields without a column, for domain actions. Those marked `ignored` are accepted for clients that send them. */
  readonly extra?: Readonly<Record<string, ExtraParameter>>
  /** Fields, at any depth, that hold files of a multipart body. */
  readonly files?: readonly string[]
  /** Names of fields in other systems, in lower case without accents. Imports recognize them. */
  readonly alsoCalled?: Readonly<Partial<Record<Name<F>, readonly string[]>>>
  /** Accepts a payload without its wrapper. */
  readonly mayBeBare?: boolean
  /** Accepts null as an empty payload. */
  readonly nullable?: boolean
  /** `<assoc>_attributes`: records of another resource written with this one. */
  readonly nested?: Readonly<Record<string, DeclaredNested>>
  /** `<assoc>_attributes`: one record that is created first. The column `by` of this record refers to it. */
  readonly pointed?: Readonly<Record<string, { readonly resource: string; readonly by: Name<F> }>>
  /** `<name>_ids`: associations through a join table. */
  readonly links?: Readonly<Record<string, JoinTable>>
  /** Fields that run the domain action when sent, even with an unchanged value. */
  readonly triggersOn?: readonly Name<F>[]
  /** Fields that default to the time of the request. */
  readonly beginsNow?: readonly Name<F>[]
  /** Field from which `slug` is generated if it is missing. */
  readonly slugFrom?: Name<F>
  /** Adds a number to a generated slug that is taken (`variables-2`) instead of refusing it. */
  readonly numbersSlugs?: boolean
  /** Checks a valid value at the time of the request. Returns the error, if any. */
  readonly rules?: Readonly<Partial<Record<Name<F>, (value: SqlValue, now: Date) => Message | undefined>>>
  /** Checks valid values together. Returns errors by field. */
  readonly together?: (values: Readonly<Record<string, SqlValue>>, creating: boolean) => FieldErrors
  /** Fields that cannot change while records refer to this one. Each path is a list of references to follow. */
  readonly immutableWhile?: Readonly<Partial<Record<Name<F>, readonly (readonly Reference[])[]>>>
  /** Field and error for a violation of each constraint. */
  readonly checks?: Readonly<Record<string, readonly [field: Name<F>, text: Message]>>
  /** Validates the record after its parts are written, also as part of another record. Throws 422. */
  readonly validateAfter?: (tx: Handle, id: number) => Promise<void>
}

/** A step to the records whose column `by` holds `key` of this one. `key` defaults to `id`. */
export type Reference = { readonly table: string; readonly by: string; readonly key?: string }

type DeclaredNested = {
  readonly resource: string
  /** Column that refers to this record. Defaults to `<singular>_id`. */
  readonly by?: string
  /** Accepted only when the record is created. */
  readonly atCreation?: boolean
  /** Replaces the insert, update or delete of an element. */
  readonly actions?: {
    readonly create?: Action<never>
    readonly update?: Action<never>
    readonly destroy?: Action
  }
}

export type WriteAction<V = Values> = {
  readonly access: Access
  /** Fields that callers who may write only their own records may send. Defaults to all. */
  readonly ownMay?: readonly string[]
  /** Replaces the insert, update or delete. */
  readonly perform?: Action<V>
  /** Runs after the parts (`<assoc>_attributes`, `<name>_ids`) are written. */
  readonly finish?: Action<V>
}

export type CreateAction<V = Values> = Omit<WriteAction<V>, 'perform'> & {
  /** Replaces the insert. */
  readonly perform?: (tx: Handle, input: ActionInput<V>) => Promise<number | Created>
  /** Creates several records in few statements. An error excludes only its own record. */
  readonly performAll?: (tx: Handle, inputs: readonly ActionInput<V>[]) => Promise<readonly (Created | HttpError)[]>
  /** Creates several records from one payload, instead of `perform`. The response is a list. */
  readonly performSeveral?: (tx: Handle, input: ActionInput<V>) => Promise<readonly number[]>
  /** Runs before several records are created one by one in a request (see `bulk`). */
  readonly prepareSeveral?:
    | ((tx: Handle, sent: readonly Readonly<Record<string, unknown>>[]) => Promise<void>)
    | undefined
  /** Descriptions of texts that the response shows once, by name. They are null in a replayed response. */
  readonly oneTimeValues?: Readonly<Record<string, string>>
}

export type Actions<C = Values, U = Values> = {
  readonly index: Access
  readonly show: Access
  /** Defaults to `index`. */
  readonly graph?: Access
  readonly create?: CreateAction<C> & {
    /** Mounts the routes only below parents. */
    readonly onlyBelow?: boolean
  }
  readonly update?: WriteAction<U>
  readonly destroy?: WriteAction
  /**
   * `PATCH` and `PUT /v2/<name>/:id/<member>`, as in `correction_points/add`. They answer 204 unless the action returns
   * a body.
   */
  readonly members?: Readonly<Record<string, MemberAction>>
  /** `POST /v2/<name>/<bulk>`: creates several records, all or none. */
  readonly bulk?: {
    readonly name: string
    readonly access: Access
    /** Runs before the first record is created, with all payloads as sent, to lock in its own order. */
    readonly prepare?: CreateAction['prepareSeveral']
  }
  /** `GET /v2/<name>/:id/<path>`: JSON that is not a list of records. */
  readonly queryActions?: Readonly<Record<string, QueryActionDeclaration>>
}

export type QueryActionDeclaration = {
  readonly access: Access
  readonly description?: string | undefined
  readonly parameters?: Readonly<Record<string, Column>>
  readonly read: QueryAction
  readonly schema: Field['schema']
}

export type MemberAction = {
  readonly access: Access
  readonly description?: string | undefined
  /** Replaces `PATCH` and `PUT`. */
  readonly method?: 'POST' | 'PATCH' | 'DELETE'
  /** The payload is optional if no field is required. */
  readonly accepts?: Readonly<Record<string, Parameter>>
  /** Documents the payload without a wrapper. A wrapped payload is accepted too. */
  readonly unwrapped?: boolean
  /** Columns that identify the record, instead of an id in the path: `/v2/<name>/<action>`. */
  readonly namedBy?: readonly string[]
} & (
  | { readonly perform: Action }
  /** Answers 200 with the returned JSON text. */
  | {
      readonly respond: (tx: Handle, input: ActionInput & Renderer) => Promise<string>
      readonly schema: Field['schema']
    }
)

/** `<assoc>_attributes`: `by` is the column that refers to this record. */
export type Nested = DeclaredNested & { readonly by: string }

/** `<name>_ids`: rows of a join table whose `foreignKey` refers to this record. */
export type Links = ThroughOne & { readonly resource: string }

/** A declaration with any fields, before its defaults are filled in. */
export type Declared = Omit<Declaration<Record<string, Field>>, 'actions'> & Pick<Resource, 'actions'>

type ReadyIndex = Omit<Index<Record<string, Field>>, 'sort' | 'defaultSort' | 'filter' | 'range' | 'unindexed'> & {
  readonly sort: readonly string[]
  readonly defaultSort: readonly string[]
  readonly filter?: readonly string[]
  readonly range?: readonly string[]
  readonly unindexed?: readonly string[]
}

type ReadyPayload = Omit<Payload<Record<string, Field>>, 'accepts' | 'requires' | 'nested' | 'links'> & {
  readonly accepts: readonly string[]
  readonly requires: readonly string[]
  readonly nested?: Readonly<Record<string, Nested>>
  readonly links?: Readonly<Record<string, Links>>
}

/** A checked declaration with its defaults filled in. */
export type Resource = Omit<
  Declaration<Record<string, Field>>,
  'singular' | 'table' | 'wrapped' | 'cachedInMemory' | 'aggregates' | 'index' | 'parents' | 'payload' | 'actions'
> & {
  readonly singular: string
  readonly aggregates?: Aggregates
  readonly index: ReadyIndex
  readonly actions: Actions | typeof embeddedOnly
  readonly table: string
  readonly wrapped: boolean
  readonly cachedInMemory: boolean
  readonly parents?: readonly Parent[]
  readonly payload?: ReadyPayload
  /** Returns the fields of a representation in order. Throws if it does not exist. */
  representationFields(representation: string): readonly (readonly [string, Field])[]
  stored(name: string): (Column & { readonly column: string }) | undefined
}

export const createRepresentation = ({ answers = {} }: Pick<Resource, 'answers'>) =>
  answers.create ?? answers.show ?? 'record'
