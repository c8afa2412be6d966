import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { rereadReplies } from '../../src/collect/reread-replies.ts'
import { runScan } from '../../src/collect/run-scan.ts'
import { sendJson, startScriptedServer, toResponse } from './support/scripted-server.ts'
import { toTarget } from './support/test-provider.ts'
import { countLake, listSpool, openScanWorld, type ScanWorld, statusesOf } from './support/test-scan.ts'

/** Puts other words into the raw replies, in the place of an adapter that reads them otherwise. */
function rewriteSpool({ dataDir }: ScanWorld, from: string, to: string): void {
  for (const name of listSpool(dataDir)) {
    const path = join(dataDir, 'scans', name)
    const text = zstdDecompressSync(readFileSync(path)).toString()
    writeFileSync(path, zstdCompressSync(Buffer.from(text.replaceAll(from, to))))
  }
}

test('raw replies are read again as adapters read them today, and come in where they could not be read', async () => {
  const engine = await startScriptedServer((asked, response) => {
    const answer = toResponse(`Acme: ${asked.json.input}`)
    sendJson(response, asked.json.input === 'Question 2?' ? { ...answer, object: 'response.v9', output: {} } : answer)
  })
  const world = await openScanWorld({ targets: [toTarget(engine.url)] })
  expect(await runScan(world.context, world.site, world.plan)).toMatchObject({ answered: 2, failed: 1 })
  const { dataDir, site, app } = world
  const same = await rereadReplies(app.change, { dataDir, site })
  expect(same).toMatchObject({ imported: 0, replaced: 0, duplicates: 2, rejected: 1 })
  expect(statusesOf(world)).toEqual({ answered: 2, failed: 1 })

  rewriteSpool(world, 'Acme: Question 1?', 'Acme says more now.')
  rewriteSpool(world, '"response.v9"', '"response"')
  rewriteSpool(
    world,
    '"output": {}',
    '"output": [{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Acme again.","annotations":[]}]}]',
  )
  const mended = await rereadReplies(app.change, { dataDir, site })
  expect(mended).toMatchObject({ imported: 1, replaced: 1, rejected: 0 })
  expect([countLake(world), statusesOf(world)]).toEqual([3, { answered: 3 }])
  expect(await rereadReplies(app.change, { dataDir, site })).toMatchObject({ imported: 0, replaced: 0 })
})

test('a site without raw replies stays as it is', async () => {
  const world = await openScanWorld({ targets: [toTarget('http://127.0.0.1:9')] })
  const { dataDir, site, app } = world
  expect(await rereadReplies(app.change, { dataDir, site })).toMatchObject({ files: [], imported: 0, rejected: 0 })
})
