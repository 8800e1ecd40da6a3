import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { describe, it } from "vitest"
import * as policy from "../../src/retries/RetryPolicy.ts"

const page = readFileSync(new URL("../../docs/operations.md", import.meta.url), "utf8")
const section = page.slice(page.indexOf("## What is tried again, and when"))
const rows = section.slice(0, section.indexOf("\n## ")).split("\n").filter((line) => /^\| `\w+`/u.test(line))

/** The words that docs/operations.md has to hold of each policy. */
const told: { readonly [P in keyof typeof policy]: ReadonlyArray<string> } = {
  stageRetries: [
    `${policy.stageRetries.attempts} attempts`,
    `${policy.stageRetries.first_seconds} s`,
    `${policy.stageRetries.longest_seconds} s`
  ],
  serviceFaultPauses: [
    `${policy.serviceFaultPauses.longest_seconds} s`,
    `${policy.serviceFaultPauses.limit_seconds / 3600} h`
  ],
  settlementRetries: [
    `${policy.settlementRetries.times} times`,
    `${policy.settlementRetries.first_ms} ms`,
    `${policy.settlementRetries.away_every_ms} ms`
  ],
  endRecordRetries: [`${policy.endRecordRetries.times} times`, `${policy.endRecordRetries.every_ms} ms`],
  deliveryRetries: [
    `${policy.deliveryRetries.schedule_seconds.length} attempts`,
    `${(policy.deliveryRetries.schedule_seconds.reduce((sum, delay) => sum + delay, 0) / 3600).toFixed(1)} h`,
    `±${policy.deliveryRetries.jitter * 100} %`,
    `${policy.deliveryRetries.longest_retry_after_seconds / 3600} h`
  ],
  attemptRecordRetries: [
    `${policy.attemptRecordRetries.times} times`,
    `${policy.attemptRecordRetries.every_ms} ms`
  ],
  vendorLookRetries: [`${policy.vendorLookRetries.times} times`],
  transactionRetries: [`${policy.transactionRetries.times} times`],
  engineStart: [`${policy.engineStart.attempts} attempts`],
  listenerRetries: [`${policy.listenerRetries.every_ms} ms`],
  modelDownloadRetries: [
    `${policy.modelDownloadRetries.attempts} attempts`,
    `${policy.modelDownloadRetries.first_ms} ms`
  ],
  s3Retries: [`${policy.s3Retries.attempts} attempts`, `${policy.s3Retries.store_attempts} attempts`]
}

describe("docs/operations.md", () => {
  it("tells every policy of retries, with its numbers", () => {
    assert.deepEqual(rows.map((row) => /`(?<name>\w+)`/u.exec(row)?.groups?.["name"]), Object.keys(told))
    for (const [index, words] of Object.values(told).entries()) {
      for (const word of words) assert.ok(rows[index]?.includes(word), `${word} in ${rows[index]}`)
    }
  })
})
