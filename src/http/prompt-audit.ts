import type { AuditLine } from './context.ts'

/** The audit's line for prompts of a site that one request changed; none where it changed none. */
export function toPromptLine(
  action: string,
  siteId: string,
  changed: readonly (string | { readonly id: string })[],
): AuditLine | undefined {
  const prompts = changed.map((prompt) => (typeof prompt === 'string' ? prompt : prompt.id))
  return prompts.length === 0 ? undefined : { action, subject: siteId, detail: { prompts } }
}
