import { expect, it } from 'vitest'
import { isLoopback } from '../../cli/serve-until-stopped.ts'

it('only addresses that other machines reach are warned of', () => {
  const hosts = ['127.0.0.1', '127.1.2.3', '[::1]', '0.0.0.0', '[::]', '10.0.0.1', '127.0.0.1.example']
  expect(hosts.filter((host) => !isLoopback(host))).toEqual(['0.0.0.0', '[::]', '10.0.0.1', '127.0.0.1.example'])
})
