const LOOPBACK_HOST = /^([^:]*\.)?localhost\.?(:\d*)?$|^127(\.\d+){3}(:\d*)?$|^\[::1\](:\d*)?$/i

/** Reports whether a host, with or without a port, is the local machine on any client. */
export const isLoopbackHost = (host: string) => LOOPBACK_HOST.test(host)

/** Reports whether an IP address is on this machine. */
export const isLoopback = (address: string | undefined) =>
  address !== undefined && /^(::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/.test(address)
