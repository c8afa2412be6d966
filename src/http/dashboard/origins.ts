import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

/**
 * The origins at which a request's browser may rightly see the dashboard (contract/dashboard 3): the public one, over TLS, and
 * this machine's own where no wire lies between. The first is the one for links. Empty where nobody may sign in: over clear
 * text from elsewhere, or under a name that only somebody else's DNS gives this machine.
 */
export function listOrigins(request: IncomingMessage, publicUrl: string): readonly string[] {
  const own = isFromThisMachine(request) ? [`http://${request.headers.host?.toLowerCase()}`] : []
  return publicUrl === '' ? own : [publicUrl, ...own]
}

/** What a proxy adds; a request with any of these has come a longer way than its last step. */
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  return (
    isLoopbackAddress(socket.remoteAddress) &&
    isLoopbackAddress(socket.localAddress) &&
    isLoopbackHost(headers.host ?? '') &&
    FORWARDING.every((name) => headers[name] === undefined)
  )
}

/** `localhost`, names below it, which never reach a DNS server (RFC 6761), or an address; with a port or without. */
function isLoopbackHost(host: string): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase()
  return name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name.replace(/^\[(.*)\]$/, '$1'))
}

function isLoopbackAddress(text: string | undefined): boolean {
  return text !== undefined && ipaddr.isValid(text) && ipaddr.process(text).range() === 'loopback'
}
