export const LIKE_THE_NETWORK = [
  '--like-the-network',
  'the demonstration campus with the ids and names that public programs have written into them',
] as const
