import * as v from 'valibot'
import content from '../../data/hangul_particles.json' with { type: 'json' }
import { HEAD, parseCatalogue, SOURCED } from './catalogue.ts'

const hangulParticleFile = v.strictObject({
  ...HEAD,
  hangul_particles: v.array(
    v.strictObject({
      what: v.pipe(v.string(), v.nonEmpty()),
      particles: v.pipe(v.array(v.pipe(v.string(), v.regex(/^[가-힣]+$/))), v.nonEmpty()),
      ...SOURCED,
    }),
  ),
})

const PARTICLES: ReadonlySet<string> = new Set(
  parseCatalogue('hangul_particles.json', hangulParticleFile, content).hangul_particles.flatMap(
    ({ particles }) => particles,
  ),
)

/** Whether a run of Hangul right behind a name only says what the name does in its sentence (contract/imports 2.3). */
export function isHangulParticle(run: string): boolean {
  return PARTICLES.has(run)
}

/** All of them: they decide what is found in texts. */
export function listHangulParticles(): readonly string[] {
  return [...PARTICLES]
}
