/** How much of the plan's cap on active prompts is used, of all sites together. */
export interface Usage {
  readonly limit: number
  readonly active: number
  /** How many more may become active. */
  readonly free: number
}
