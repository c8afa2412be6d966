// Makes a process take itself for a Node too old for the program; loaded with --require.
Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.0' } })
if (process.env.TEST_NODE_ELSEWHERE === '1') process.execPath = '/usr/local/bin/node'
