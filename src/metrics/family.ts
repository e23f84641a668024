/** What Prometheus is told of a family of metrics beside its values. */
export type Described = {
  /** With its unit, in base units; a counter's ends in `_total`. */
  readonly name: string
  readonly help: string
}

export type Labels = Readonly<Record<string, string | number>>

export type Value = {
  readonly labels: Labels
  readonly value: number
  /** Of a histogram: the name of the bucket, the sum or the count. */
  readonly metricName?: string
}

/** A family of metrics as it stands, in the form in which `prom-client` gives and takes it. */
export type Family = Described & {
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** How the values of several processes become one. */
  readonly aggregator: 'sum' | 'min' | 'max'
  readonly values: readonly Value[]
}

/** Gives what something has counted by now. */
export type Source = () => readonly Family[] | Promise<readonly Family[]>

/** A gauge with one value, or with one for each set of labels. */
export const gauge = (
  described: Described,
  values: number | readonly Value[],
  aggregator: Family['aggregator'] = 'sum',
): Family => ({ ...described, type: 'gauge', aggregator, values: valuesOf(values) })

/** A counter that something else counts. */
export const counter = (described: Described, values: number | readonly Value[]): Family => ({
  ...described,
  type: 'counter',
  aggregator: 'sum',
  values: valuesOf(values),
})

const valuesOf = (values: number | readonly Value[]) =>
  typeof values === 'number' ? [{ labels: {}, value: values }] : values
