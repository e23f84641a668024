/** Kinds of closes (spec: accounts 6). */
export const CLOSE_KINDS = [
  'agu',
  'other',
  'deserter',
  'black_hole',
  'serious_misconduct',
  'social_security',
  'non_admitted',
  'pace_unknown',
] as const
