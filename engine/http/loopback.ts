const LOOPBACK_HOST = /^([^:]*\.)?localhost\.?(:\d*)?$|^127(\.\d+){3}(:\d*)?$|^\[::1\](:\d*)?$/i

export const isLoopbackHost = (host: string) => LOOPBACK_HOST.test(host)

export const isLoopback = (address: string | undefined) =>
  address !== undefined && /^(::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/.test(address)
