// Stands in for @duckdb/node-bindings, which looks for its library in node_modules.
module.exports = require('./load-native.mts').loadNative('duckdb', 'duckdb.node')
