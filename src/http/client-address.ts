import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

/**
 * Who sent a request, for its log line: the other end of the connection or, where that is a proxy on this machine, the
 * address that it put last into `X-Forwarded-For`. What stands before it anybody may have written. Null when it is unknown.
 */
export function findClient({ socket, headersDistinct }: IncomingMessage): string | null {
  const peer = toAddress(socket.remoteAddress)
  if (peer?.range() !== 'loopback') return peer?.toString() ?? null
  const forwarded = headersDistinct['x-forwarded-for']?.join(',').split(',').at(-1)
  return (toAddress(forwarded?.trim()) ?? peer).toString()
}

function toAddress(text: string | undefined): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return text !== undefined && ipaddr.isValid(text) ? ipaddr.process(text) : undefined
}
