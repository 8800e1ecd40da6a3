import { useRef, useState } from "preact/hooks"
import { percent } from "../footnotes/Wording.ts"
import { Field } from "../parts/Field.tsx"
import { Segmented } from "../parts/Segmented.tsx"
import { upload } from "../service/Uploading.ts"
import type { Draft } from "./Draft.ts"

function Drop({ draft }: { readonly draft: Draft }) {
  const [over, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const take = (file: File | undefined) => {
    if (file === undefined) return
    draft.uploading.value?.cancel()
    draft.uploading.value = upload(file)
  }
  const uploading = draft.uploading.value
  return (
    <div
      class={over ? "drop over" : "drop"}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer?.files[0])
      }}
    >
      <input
        ref={input}
        id="source-file"
        type="file"
        class="hidden"
        tabIndex={-1}
        accept="video/*,audio/*,.mkv,.ts,.opus,.amr"
        aria-label="Footage"
        onChange={(event) => take(event.currentTarget.files?.[0])}
      />
      {uploading === null
        ? (
          <>
            <p class="lead serif">Drop a video or a recording here</p>
            <button type="button" class="secondary" onClick={() => input.current?.click()}>Choose a file</button>
          </>
        )
        : (
          <>
            <p class="file-name">
              <strong>{uploading.name}</strong>
            </p>
            <div
              class="meter large"
              role="progressbar"
              aria-label={`Upload of ${uploading.name}`}
              aria-valuenow={Math.round(uploading.fraction.value * 100)}
              aria-valuemin={0}
              aria-valuemax={100}
            >
              <span style={{ width: `${uploading.fraction.value * 100}%` }} />
            </div>
            <p class="small muted" role="status">
              {uploading.source_uri.value === null ? percent(uploading.fraction.value) : "All of it is here."}
            </p>
            <p class="problem" role="alert">{uploading.problem.value}</p>
            <button
              type="button"
              class="quiet"
              onClick={() => {
                uploading.cancel()
                draft.uploading.value = null
              }}
            >
              Another file
            </button>
          </>
        )}
    </div>
  )
}

const kinds = [["file", "A file"], ["address", "An address"], ["sample", "A sample"]] as const

/** Where the footage is. */
export function SourceChoice({ draft }: { readonly draft: Draft }) {
  const kind = draft.sourceKind.value
  return (
    <section class="step">
      <h2>Footage</h2>
      <Segmented
        label="Where the footage is"
        options={kinds}
        chosen={kind}
        choose={(one) => (draft.sourceKind.value = one)}
      />
      {kind === "file" ? <Drop draft={draft} /> : kind === "address"
        ? (
          <Field
            id="source-address"
            label="Address"
            problem={draft.problemOf("source_uri")}
            help="An https address of a file, or s3://bucket/key where this deployment may read it."
          >
            <input
              id="source-address"
              type="url"
              placeholder="https://example.com/talk.mp4"
              value={draft.address.value}
              aria-describedby="source-address-help source-address-problem"
              onInput={(event) => (draft.address.value = event.currentTarget.value)}
            />
          </Field>
        )
        : (
          <Field
            id="source-sample"
            label="Sample"
            help="Two clips of about a minute and a half that come with the service."
          >
            <select
              id="source-sample"
              value={draft.sample.value}
              aria-describedby="source-sample-help"
              onChange={(event) => (draft.sample.value = event.currentTarget.value)}
            >
              <option value="sample://product-demo">A product demo with slides</option>
              <option value="sample://lecture">A lecture</option>
            </select>
          </Field>
        )}
    </section>
  )
}
