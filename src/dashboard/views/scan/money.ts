const locale = typeof navigator === 'undefined' ? 'en' : navigator.language
const toFormat = (digits: number) =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
const cents = toFormat(2)
const fine = toFormat(4)

const FINE_BELOW = 0.1

const pick = (usd: number): Intl.NumberFormat => (usd > 0 && usd < FINE_BELOW ? fine : cents)

/** `$12.40`, and `$0.0126` where cents would hide it. */
export const toMoney = (usd: number): string => pick(usd).format(usd)

/** `$0.0126 – $0.0243` */
export const toMoneyRange = (low: number, high: number): string =>
  low === high ? toMoney(low) : pick(low).formatRange(low, high)
