/**
 * Tests that start whole services, kill processes, wait for real time-outs, decode and hear real footage, or ask for once more over every route what others have
 * asked once: half of all the time that the tests take is spent in these few files. `npm test` leaves them out, `npm run test:all` runs them too.
 * Each stands with the files that hold the same guarantee in seconds, below the whole service, or with why there is none (`LongTests.test.ts`).
 */
export const longTests: Readonly<Record<string, ReadonlyArray<string> | { readonly none: string }>> = {
  "test/acceptance/absent-branches.test.ts": [
    "test/workers/media/MediaStages.test.ts",
    "test/jobs/model/Pipeline.test.ts"
  ],
  "test/acceptance/backup.test.ts": { none: "a copy of a folder is only proved by a whole service that starts on it" },
  "test/acceptance/cancel.test.ts": [
    "test/jobs/JobStates.test.ts",
    "test/workers/engine/StageRunner.test.ts",
    "test/workers/media/ffmpeg/MediaProcess.test.ts"
  ],
  "test/acceptance/client.test.ts": [
    "test/clients/typescript-client.test.ts",
    "test/clients/typescript-uploads.test.ts",
    "test/clients/typescript-webhooks.test.ts"
  ],
  "test/acceptance/extractions.test.ts": ["test/api/jobs.extractions.test.ts"],
  "test/acceptance/footage.test.ts": [
    "test/workers/media/MediaStages.test.ts",
    "test/workers/extraction/Extract.test.ts"
  ],
  "test/acceptance/hostile.test.ts": [
    "test/workers/media/BadAudio.test.ts",
    "test/workers/media/TakenOver.test.ts",
    "test/guarantees/ssrf.test.ts"
  ],
  "test/acceptance/injection.test.ts": ["test/workers/extraction/Injection.test.ts"],
  "test/acceptance/install.test.ts": ["test/model-stacks/FetchModels.test.ts"],
  "test/acceptance/killed.test.ts": ["test/workers/compute/ComputeProcess.test.ts", "test/queue/Queue.test.ts"],
  "test/acceptance/manifest.test.ts": ["test/api/manifest.test.ts", "test/manifests/Envelope.test.ts"],
  "test/acceptance/model-stack.test.ts": [
    "test/api/model-stacks.test.ts",
    "test/workers/extraction/ExtractorStages.test.ts"
  ],
  "test/acceptance/python-client.test.ts": ["test/clients/python-client.test.ts"],
  "test/acceptance/readme.test.ts": ["test/guarantees/documents.test.ts"],
  "test/acceptance/reproducible.test.ts": [
    "test/workers/media/MediaStages.test.ts",
    "test/workers/extraction/Extract.test.ts"
  ],
  "test/acceptance/retry.test.ts": ["test/api/jobs.retry.test.ts"],
  "test/acceptance/s3.test.ts": ["test/storage/S3Blobs.test.ts", "test/workers/media/S3Fetch.test.ts"],
  "test/acceptance/samples.test.ts": [
    "test/workers/media/SampleFetch.test.ts",
    "test/workers/extraction/Extract.test.ts"
  ],
  "test/acceptance/schema-test.test.ts": ["test/workers/extraction/ExtractionStage.test.ts"],
  "test/acceptance/sound.test.ts": ["test/workers/media/BadAudio.test.ts", "test/workers/speech/SpeechStage.test.ts"],
  "test/acceptance/trace.test.ts": ["test/observability/Trace.test.ts"],
  "test/acceptance/uploads.test.ts": ["test/sources/IncomingUploads.test.ts", "test/api/uploads.tus.test.ts"],
  "test/api/accessible-pages.browser.test.ts": ["test/api/docs-page.test.ts"],
  "test/api/docs-page.browser.test.ts": ["test/api/docs-page.test.ts"],
  "test/api/idle-pages.browser.test.ts": ["test/api/idle-connections.test.ts"],
  "test/api/media.renditions.test.ts": ["test/workers/media/renditions/Renditions.test.ts"],
  "test/app/app.test.ts": { none: "what a person sees of the application is only in a browser" },
  "test/app/built.test.ts": { none: "it builds the application once more" },
  "test/app/report.test.ts": { none: "what a person sees of a report is only in a browser" },
  "test/cli/models.test.ts": ["test/model-stacks/FetchModels.test.ts"],
  "test/database/EmbeddedPostgresOwners.test.ts": ["test/database/EmbeddedPostgres.test.ts"],
  "test/deployment/Compose.test.ts": ["test/processes/ProcessEnvironment.test.ts"],
  "test/deployment/Dashboard.test.ts": { none: "it renders deploy/ and reads the metrics of all code" },
  "test/deployment/DatabaseLogins.test.ts": {
    none: "it reads deploy/ and docs/, and starts a server of another version"
  },
  "test/deployment/FirstMistakes.test.ts": ["test/api/health.test.ts", "test/cli/start.test.ts"],
  "test/deployment/Kubernetes.test.ts": { none: "it renders every overlay of deploy/" },
  "test/deployment/Marks.test.ts": ["test/database/DatabaseClock.test.ts", "test/api/health.test.ts"],
  "test/guarantees/clock-jumps.test.ts": ["test/database/DatabaseClock.test.ts"],
  "test/guarantees/database-away.test.ts": [
    "test/database/DatabaseAway.test.ts",
    "test/database/SessionFaults.test.ts"
  ],
  "test/guarantees/drain.test.ts": ["test/web/server/Draining.test.ts"],
  "test/guarantees/faults-below.test.ts": ["test/database/SessionFaults.test.ts", "test/storage/S3Faults.test.ts"],
  "test/guarantees/first-uses.test.ts": ["test/api/idempotency.test.ts"],
  "test/guarantees/full-disk.test.ts": ["test/storage/FullDisk.test.ts", "test/storage/DiskReserve.test.ts"],
  "test/guarantees/full-wal.test.ts": ["test/database/DatabaseAway.test.ts"],
  "test/guarantees/isolation-second-wall.test.ts": [
    "test/database/RowSecurity.test.ts",
    "test/guarantees/isolation.test.ts"
  ],
  "test/guarantees/lost-machine.test.ts": ["test/queue/Queue.test.ts", "test/database/SessionFaults.test.ts"],
  "test/guarantees/next-version.test.ts": ["test/guarantees/migrations.test.ts"],
  "test/guarantees/openapi-lint.test.ts": ["test/guarantees/openapi.test.ts"],
  "test/guarantees/process-environment.test.ts": [
    "test/processes/ProcessEnvironment.test.ts",
    "test/guarantees/file-modes.test.ts"
  ],
  "test/guarantees/process-tree.test.ts": [
    "test/database/EmbeddedPostgres.test.ts",
    "test/workers/main.test.ts",
    "test/processes/TemporaryFolders.test.ts"
  ],
  "test/guarantees/read-only-root.test.ts": { none: "it is about all processes in a root of their own" },
  "test/guarantees/sealed-addresses.test.ts": [
    "test/crypto/Sealing.test.ts",
    "test/jobs/retention/OpenAddresses.test.ts"
  ],
  "test/guarantees/secrets.test.ts": [
    "test/deliveries/connectors/Traces.test.ts",
    "test/api/destinations.test.ts",
    "test/crypto/Sealing.test.ts"
  ],
  "test/guarantees/upgrade.test.ts": ["test/guarantees/migrations.test.ts", "test/guarantees/stored-shapes.test.ts"],
  "test/main.test.ts": [
    "test/cli/start.test.ts",
    "test/database/Migrations.test.ts",
    "test/rate-limits/RateLimits.test.ts"
  ],
  "test/schemas/TemplateExamples.test.ts": ["test/api/schemas.test.ts", "test/workers/extraction/Extract.test.ts"],
  "test/workers/delivery/DeliveryWorker.test.ts": ["test/workers/delivery/DeliveryProcess.test.ts"],
  "test/workers/delivery/FiveVendors.test.ts": [
    "test/workers/delivery/DeliveryStage.test.ts",
    "test/workers/delivery/DeliveryProcess.test.ts"
  ],
  "test/workers/engine/Worker.test.ts": [
    "test/workers/engine/StageRunner.test.ts",
    "test/queue/Queue.test.ts",
    "test/workers/main.test.ts"
  ],
  "test/workers/extraction/ExtractionCharges.test.ts": ["test/workers/extraction/ExtractorStages.test.ts"],
  "test/workers/media/FrameTimes.test.ts": ["test/workers/media/MediaStages.test.ts"],
  "test/workers/media/HostileMedia.test.ts": [
    "test/workers/media/PacketParsers.test.ts",
    "test/workers/media/BadAudio.test.ts"
  ],
  "test/workers/media/ffmpeg/FindSandbox.test.ts": [
    "test/workers/media/ffmpeg/Sandbox.test.ts",
    "test/workers/media/TakenOver.test.ts"
  ],
  "test/workers/media/frames/FeedPackets.test.ts": [
    "test/workers/media/codec/ReferencePruning.test.ts",
    "test/workers/media/PacketParsers.test.ts"
  ],
  "test/workers/speech/SpeechOrder.test.ts": [
    "test/workers/speech/SpeechStage.test.ts",
    "test/workers/speech/asr/Transcription.test.ts"
  ],
  "test/workers/speech/SpeechStacks.test.ts": [
    "test/workers/speech/SpeechStage.test.ts",
    "test/workers/speech/drivers/Recogniser.test.ts"
  ],
  "test/workers/speech/vad/VadBreadth.test.ts": ["test/workers/speech/vad/Vad.test.ts"],
  "test/workers/vision/VisionStacks.test.ts": [
    "test/workers/vision/VisionStage.test.ts",
    "test/workers/vision/drivers/TransformersDescriber.test.ts"
  ],
  "test/workers/vision/description/DescribePhotographs.test.ts": [
    "test/workers/vision/description/DescribeFrame.test.ts"
  ],
  "test/workers/vision/text/TextReader.test.ts": [
    "test/workers/vision/text/LineReader.test.ts",
    "test/workers/vision/text/ReadingOrder.test.ts",
    "test/workers/vision/text/LineMemory.test.ts"
  ]
}
