// Stands in for better-sqlite3/lib/binding.js, which looks for its library beside itself.
const { loadNative } = require('./load-native.mts')

let addon

exports.getBinding = () => (addon ??= loadNative('sqlite', 'better_sqlite3.node'))
