import { expect, test } from 'vitest'
import { runSmallReports } from './support/small-reports.ts'

test('reports over hardly any rows are answered, each of 700 of them at once with others', async () => {
  expect((await runSmallReports({ requests: 700 })).wrong).toEqual([])
})
