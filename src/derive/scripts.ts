/*
 * What a character is to the borders of words between scripts (contract/imports 2.3), as a number: the higher half of an entry of
 * `codes`, so that a unit's class and fold are read at once.
 */

/** No letter, digit or mark: a border. */
export const NO_WORD = 0
/** A digit, or a letter that all scripts share. */
export const NO_SCRIPT = 3 << 16
export const MARK = 4 << 16
/** A letter of a script that is written without spaces. */
export const UNSPACED = 5 << 16
/** From here on, a letter of one script. */
const FIRST_SCRIPT = 6 << 16

/** Scripts whose letters run on from word to word; a letter that several scripts share counts when one of them is such. */
const UNSPACED_SCRIPTS = 'Han Hiragana Katakana Bopomofo Thai Lao Khmer Myanmar'.split(' ')
const UNSPACED_LETTER = new RegExp(
  String.raw`(?=\p{L})[${UNSPACED_SCRIPTS.map((name) => String.raw`\p{Script_Extensions=${name}}`).join('')}]`,
  'u',
)

/** The other scripts of Unicode 15, those of today's brands first: each letter is looked for from the start of the list. */
const SCRIPTS = `
  Latin Hangul Cyrillic Greek Arabic Hebrew Devanagari Bengali Tamil Telugu Gujarati Gurmukhi Kannada Malayalam Oriya Sinhala
  Georgian Armenian Ethiopic Tibetan Mongolian Thaana Syriac Nko Tifinagh Cherokee Canadian_Aboriginal Javanese Balinese
  Sundanese Cham Lisu Yi Vai Bamum Adlam Ol_Chiki Meetei_Mayek Chakma Coptic Ahom Anatolian_Hieroglyphs Avestan Bassa_Vah Batak
  Bhaiksuki Brahmi Buginese Buhid Carian Caucasian_Albanian Chorasmian Cuneiform Cypriot Cypro_Minoan Deseret Dives_Akuru Dogra
  Duployan Egyptian_Hieroglyphs Elbasan Elymaic Glagolitic Gothic Grantha Gunjala_Gondi Hanifi_Rohingya Hanunoo Hatran
  Imperial_Aramaic Inscriptional_Pahlavi Inscriptional_Parthian Kaithi Kawi Kayah_Li Kharoshthi Khitan_Small_Script Khojki
  Khudawadi Lepcha Limbu Linear_A Linear_B Lycian Lydian Mahajani Makasar Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin
  Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mro Multani Nabataean Nag_Mundari Nandinagari New_Tai_Lue Newa
  Nushu Nyiakeng_Puachue_Hmong Ogham Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_Sogdian
  Old_South_Arabian Old_Turkic Old_Uyghur Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi
  Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham Sogdian Sora_Sompeng Soyombo Syloti_Nagri Tagalog Tagbanwa Tai_Le
  Tai_Tham Tai_Viet Takri Tangsa Tangut Tirhuta Toto Ugaritic Vithkuqi Wancho Warang_Citi Yezidi Zanabazar_Square`
  .trim()
  .split(/\s+/)

export const LATIN = FIRST_SCRIPT + (SCRIPTS.indexOf('Latin') << 16)
export const HANGUL = FIRST_SCRIPT + (SCRIPTS.indexOf('Hangul') << 16)

/** Compiled when a letter asks for them: most texts have letters of one or two scripts. */
const expressions = new Map<string, RegExp>()

/** The class of a whole character. */
export function classOf(character: string): number {
  if (!/^[\p{L}\p{N}\p{M}]/u.test(character)) return NO_WORD
  if (/^\p{M}/u.test(character)) return MARK
  if (/^\p{N}/u.test(character)) return NO_SCRIPT
  if (UNSPACED_LETTER.test(character)) return UNSPACED
  if (/^[\p{Script=Common}\p{Script=Inherited}]/u.test(character)) return NO_SCRIPT
  // A letter of no listed script has a class of its own, behind all others.
  const found = SCRIPTS.findIndex((name) => isOfScript(character, name))
  return FIRST_SCRIPT + ((found < 0 ? SCRIPTS.length : found) << 16)
}

/**
 * Whether a word may end between two neighbours of these classes, neither of them NO_WORD. A mark belongs to the letter before
 * it: `before` is that letter's class, and nothing ends right before a mark.
 */
export function isBorder(before: number, behind: number): boolean {
  if (behind === MARK) return false
  if (before === UNSPACED || behind === UNSPACED) return true
  return before >= FIRST_SCRIPT && behind >= FIRST_SCRIPT && before !== behind
}

function isOfScript(character: string, name: string): boolean {
  let expression = expressions.get(name)
  if (expression === undefined) {
    expression = new RegExp(String.raw`^\p{Script=${name}}`, 'u')
    expressions.set(name, expression)
  }
  return expression.test(character)
}
