// First, before anything starts the thread pool: DuckDB's queries occupy its threads, files and DNS need the others.
process.env.UV_THREADPOOL_SIZE ||= '24'

require('../../cli/main.ts')
