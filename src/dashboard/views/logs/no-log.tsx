import type { Schemas } from '../../../client/client.ts'
import { Empty } from '../../parts/empty.tsx'

/** In the place of crawlers and visitors where no log was ever imported: nothing is known then, which isn't none. */
export function NoLog({ site }: { readonly site: Schemas['Site'] }) {
  return (
    <Empty kind="not_connected" title="No access log is connected">
      <p>
        Crawlers and visitors are counted in the access log of your web server, CDN or proxy. None was imported for{' '}
        {site.domain} yet, so nothing is known of them. On the machine with the service:
      </p>
      <pre>answerlake import logs --site {site.domain} access.log</pre>
    </Empty>
  )
}
