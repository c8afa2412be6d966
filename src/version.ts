import packageJson from '../package.json' with { type: 'json' }

/** Of this program, `1.1.0`. */
export const VERSION: string = packageJson.version
