/** No person has this id: the statements of a person are sent with it where there is none, so that both take the same time. */
export const NOBODY = 0
