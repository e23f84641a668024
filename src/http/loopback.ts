/** Whether the other end of a connection is on this machine. */
export const isLoopback = (address: string | undefined) =>
  address !== undefined && /^(::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/.test(address)
