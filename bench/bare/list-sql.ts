/** A column that gathers what another table has below a row: a JSON array. */
export const gatherSql = (columns: string, from: string, order: string) =>
  `array_to_json(array(select ${columns} from ${from} order by ${order}))`

/** The same of rows: a JSON array of arrays. */
export const listSql = (columns: string, from: string, order = 'id') =>
  gatherSql(`json_build_array(${columns})`, from, order)
