/** A country, or a city, that a market of a prompt names, in the words of the services that can ask from there. */
export interface Market {
  /** The name by which Google lists the place: `Germany`, `Berlin,Berlin,Germany`. */
  readonly name: string
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string
  /** The language most asked in there, as Google's `hl` writes it: `de`, `zh-TW`. */
  readonly language: string
  /** Google's number of a country, which DataForSEO's `location_code` is too. */
  readonly locationCode: number | undefined
  /** Names of a city and its region in English, where the place is one. */
  readonly city: string | undefined
  readonly region: string | undefined
  /** IANA time zone of a city, and of a country that has a single one. */
  readonly timeZone: string | undefined
}
