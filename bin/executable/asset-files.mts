import { getAsset } from 'node:sea'
import type { AssetFiles } from '../../src/http/dashboard/asset-files.ts'

/** Stands in for `src/http/dashboard/asset-files.ts`: the dashboard is inside the executable, and read from there. */
export async function loadAssetFiles(): Promise<AssetFiles> {
  return { 'app.js': getAsset('dashboard/app.js', 'utf8'), 'app.css': getAsset('dashboard/app.css', 'utf8') }
}
