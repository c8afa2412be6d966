import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isMissingCatalog } from '../../src/catalog/missing-catalog.ts'
import { checkCatalog } from './catalog.ts'
import { checkConfig, checkOpenFiles } from './process.ts'
import { checkCollecting, checkScans } from './collecting.ts'
import { checkDirectory, checkFileSystem, checkFreeDisk } from './directory.ts'
import type { Finding, Patient } from './finding.ts'

/** Every finding about a data directory and its surroundings, in the order in which they matter. */
export async function examine(patient: Patient): Promise<readonly Finding[]> {
  const directory = await checkDirectory(patient)
  if (!existsSync(patient.dataDir)) return [directory, await checkOpenFiles()]
  const surroundings = [
    await checkFileSystem(patient),
    await checkFreeDisk(patient),
    await checkConfig(patient),
    ...(await checkCollecting(patient)),
  ]
  const path = join(patient.dataDir, 'catalog.sqlite')
  const catalog = existsSync(path) || isMissingCatalog(path) ? await checkCatalog(patient) : []
  const isReadable = catalog.length > 0 && [...surroundings, ...catalog].every(({ status }) => status !== 'problem')
  const sentiment = isReadable ? await (await import('./sentiment.ts')).checkSentiment(patient) : []
  const scans = isReadable ? await checkScans(patient) : []
  const retention = isReadable ? await (await import('./retention.ts')).checkRetention(patient) : []
  return [directory, ...surroundings, ...catalog, ...scans, ...retention, ...sentiment, await checkOpenFiles()]
}
