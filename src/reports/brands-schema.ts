import * as v from 'valibot'
import { BRANDS_LIST_MAX, NAME_CHARACTERS_MAX } from '../limits.ts'
import { arrayOf } from '../schemas/bounded-array.ts'
import { maxCharacters } from '../schemas/max-characters.ts'

const BrandName = v.pipe(v.string(), v.minLength(1), maxCharacters(NAME_CHARACTERS_MAX))
const BrandNames = arrayOf(BrandName, { min: 1, max: BRANDS_LIST_MAX })
const BrandSet = v.picklist(['owned', 'all'])
export const AnyBrands = v.union([BrandSet, BrandNames])

/**
 * `brands`. The getter chooses by the value, so that a fault is told for what was meant; the document, made without a
 * value, shows both.
 */
export const Brands = v.optional(
  v.pipe(
    v.lazy<v.GenericSchema<v.InferInput<typeof AnyBrands>, v.InferOutput<typeof AnyBrands>>>((given) =>
      given === undefined ? AnyBrands : Array.isArray(given) ? BrandNames : BrandSet,
    ),
    v.description(
      '`owned`, the default: the own brand. `all`: it and every confirmed competitor. A list: brands by name or alias.',
    ),
  ),
  'owned',
)
