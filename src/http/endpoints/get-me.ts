import { defineEndpoint } from '../endpoint.ts'
import { CallingKey, single } from '../schemas/resources.ts'

export const getMe = defineEndpoint({
  operation: 'getMe',
  tag: 'Discovery',
  method: 'GET',
  path: '/v1/me',
  access: 'read',
  summary: 'The calling key',
  description: 'What the key may do, until when, its organization, and the limits that hold for each key.',
  response: single(CallingKey),
  example: {
    response: {
      data: {
        key: {
          id: 'key_0k7q4zj0m3v8c1n5t9x2b6d4gh',
          name: 'reporting',
          permission: 'read',
          expires_at: '2027-02-18T09:00:00.000Z',
        },
        organization: { id: 'org_0k7q4zj0a1s2d3f4g5h6j7k8m9', name: 'Acme', plan: 'enterprise' },
        rate_limits: { requests_per_minute: 600, writes_per_minute: 20 },
      },
    },
  },
  handle: ({ caller }) => {
    if (!('key' in caller)) throw new Error('a person has no key')
    const { key, organization } = caller
    return {
      data: {
        key: { id: key.id, name: key.name, permission: key.permission, expires_at: key.expiresAt },
        organization: { id: organization.id, name: organization.name, plan: organization.plan },
        rate_limits: {
          requests_per_minute: organization.requestsPerMinute,
          writes_per_minute: organization.writesPerMinute,
        },
      },
    }
  },
})
