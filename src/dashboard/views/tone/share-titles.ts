/** The shares of the service by their titles. It counts answers that nobody judged as neutral. */
export const SHARE_TITLES = { negative: 'Negative', neutral: 'Neutral or not judged', positive: 'Positive' } as const
