/**
 * Tests that start whole services, kill processes, wait for real time-outs, decode and hear real footage, or ask for once more over every route what others have
 * asked once: half of all the time that the tests take is spent in these few files. `npm test` leaves them out, `npm run test:all` runs them too.
 */
export const longTests: ReadonlyArray<string> = [
  "test/acceptance/**/*.test.ts",
  "test/api/accessible-pages.browser.test.ts",
  "test/api/idle-pages.browser.test.ts",
  "test/app/**/*.test.ts",
  "test/database/EmbeddedPostgresOwners.test.ts",
  "test/deployment/**/*.test.ts",
  "test/guarantees/{clock-jumps,database-away,drain,faults-below,full-disk,full-wal,isolation-second-wall,lost-machine,process-environment,process-tree,read-only-root,upgrade}.test.ts",
  "test/main.test.ts",
  "test/schemas/TemplateExamples.test.ts",
  "test/workers/delivery/DeliveryWorker.test.ts",
  "test/workers/engine/Worker.test.ts",
  "test/workers/media/HostileMedia.test.ts",
  "test/workers/media/ffmpeg/FindSandbox.test.ts",
  "test/workers/speech/SpeechStacks.test.ts",
  "test/workers/vision/VisionStacks.test.ts",
  "test/workers/vision/text/TextReader.test.ts"
]
