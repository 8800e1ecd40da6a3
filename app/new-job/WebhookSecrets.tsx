import { Secret } from "../parts/Secret.tsx"

/** By jobs that were made on this page: the service tells a secret once, and it is kept no longer than the page is open. */
export const webhookSecrets = new Map<string, string>()

/** What the webhook of a job is signed with, for whoever has just made the job. */
export function WebhookSecret({ job_id }: { readonly job_id: string }) {
  const secret = webhookSecrets.get(job_id)
  return secret === undefined ? null : <Secret name="Signing secret of this job's webhook" text={secret} />
}
