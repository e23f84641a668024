const LOOPBACK_HOST = /^([^:]*\.)?localhost\.?(:\d*)?$|^127(\.\d+){3}(:\d*)?$|^\[::1\](:\d*)?$/i

/** Whether an address names the local machine on any client; with or without a port. */
export const isLoopbackHost = (host: string) => LOOPBACK_HOST.test(host)

/** Whether the other end of a connection is on this machine. */
export const isLoopback = (address: string | undefined) =>
  address !== undefined && /^(::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/.test(address)
