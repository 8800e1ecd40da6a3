import * as fc from "fast-check"
import assert from "node:assert"
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { isDeepStrictEqual } from "node:util"
import { afterAll, beforeAll, describe, it } from "vitest"
import { openEnvelope, readKeys, Unreadable } from "../../tools/verify-manifest/Envelope.ts"
import { compareFolder } from "../../tools/verify-manifest/Verification.ts"
import { signed, signingWith } from "../manifests/SignedEnvelope.ts"
import { jobId, leftBy, writeSigned } from "./verify-manifest/signedFolder.ts"

const program = fileURLToPath(new URL("../../tools/footnote.ts", import.meta.url))

/** Not synchronous: a server of the test's own must be able to answer meanwhile. */
const run = (...words: ReadonlyArray<string>) => runIn(undefined, ...words)

const runIn = async (cwd: string | undefined, ...words: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, [program, ...words], { stdio: ["ignore", "pipe", "pipe"], cwd })
  let [stdout, stderr] = ["", ""]
  child.stdout.on("data", (chunk) => stdout += chunk)
  child.stderr.on("data", (chunk) => stderr += chunk)
  const status = await new Promise<number | null>((resolve) => child.once("close", resolve))
  return { status, stdout, stderr }
}

/** What the program would find in a folder, in this process. */
const found = (folder: string): { readonly forged: boolean; readonly faults: ReadonlyArray<string> } => {
  const keys = readKeys(readFileSync(join(folder, "signing-keys.json")), "signing-keys.json")
  const opened = openEnvelope(readFileSync(join(folder, "manifest.json")), "manifest.json", keys)
  if (opened.signed_by === undefined) return { forged: true, faults: [] }
  return { forged: false, faults: compareFolder(folder, opened.statement).faults }
}

/** Changes one byte of one file while `use` looks. */
const flipped = <A>(
  folder: string,
  name: string,
  at: number,
  bits: number,
  use: (changed: Buffer, good: Buffer) => A
): A => {
  const path = join(folder, name)
  const good = readFileSync(path)
  const changed = Buffer.from(good)
  changed[at % good.length]! ^= bits
  writeFileSync(path, changed)
  try {
    return use(changed, good)
  } finally {
    writeFileSync(path, good)
  }
}

const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

let folder: string
let names: ReadonlyArray<string>
beforeAll(() => {
  const left = leftBy()
  folder = writeSigned(left)
  names = Object.keys(left.files)
})
afterAll(() => rmSync(folder, { recursive: true }))

describe("footnote verify", () => {
  it("finds a folder as it was signed, whichever way its JSON is spaced and ordered", () => {
    assert.deepStrictEqual(found(folder), { forged: false, faults: [] })
    const { files, statement } = leftBy()
    const { job_id, ...rest } = JSON.parse(files["evidence.json"] as string)
    const other = writeSigned({ files: { ...files, "evidence.json": JSON.stringify({ ...rest, job_id }) }, statement })
    assert.deepStrictEqual(found(other).faults, [])
    rmSync(other, { recursive: true })
  })

  it("finds whatever byte of whatever file is changed, and says which file; only the spacing of JSON is free", () => {
    const byte = fc.record({
      name: fc.constantFrom(...names),
      at: fc.nat({ max: 1 << 20 }),
      bits: fc.integer({ min: 1, max: 255 })
    })
    fc.assert(
      fc.property(byte, ({ at, bits, name }) => {
        flipped(folder, name, at, bits, (changed, good) => {
          const { faults, forged } = found(folder)
          assert(!forged)
          if (faults.length > 0) {
            assert.match(faults.join("\n"), new RegExp(`^DIFFERS ${name.replace(".", String.raw`\.`)}`, "u"))
          } else {
            assert(name.endsWith(".json"), name)
            assert(isDeepStrictEqual(parsed(changed), parsed(good)), `${name} at ${at % good.length}`)
          }
        })
      }),
      { numRuns: 400 }
    )
  })

  it("finds every single byte of a picture and of the words to read", () => {
    for (const name of names.filter((name) => /\.(?:jpg|txt)$/u.test(name))) {
      for (let at = 0; at < readFileSync(join(folder, name)).length; at++) {
        flipped(folder, name, at, 1, () => assert.strictEqual(found(folder).faults.length, 1, `${name} at ${at}`))
      }
    }
  })

  it("lets no byte of the manifest be another, unless it is spacing", () => {
    const byte = fc.record({ at: fc.nat({ max: 1 << 20 }), bits: fc.integer({ min: 1, max: 255 }) })
    fc.assert(
      fc.property(byte, ({ at, bits }) => {
        flipped(folder, "manifest.json", at, bits, (changed, good) => {
          try {
            const { faults, forged } = found(folder)
            if (!forged && faults.length === 0) assert.deepStrictEqual(parsed(changed), parsed(good))
          } catch (error) {
            assert(error instanceof Unreadable, String(error))
          }
        })
      }),
      { numRuns: 400 }
    )
  })

  it("knows a key by its own thumbprint, not by the name that it is given", () => {
    const [key] = signingWith(9).keys
    const renamed = { keys: [{ ...key, kid: signingWith(8).key_id }] }
    for (
      const keys of [renamed, { keys: [{ ...key, crv: "X25519" }] }, { keys: [{ ...key, x: "AAAA" }] }, { keys: [] }]
    ) {
      assert.throws(() => readKeys(Buffer.from(JSON.stringify(keys)), "keys"), Unreadable)
    }
  })

  it("says what is missing", () => {
    for (const name of names) {
      const path = join(folder, name)
      const content = readFileSync(path)
      rmSync(path)
      assert.deepStrictEqual(found(folder).faults.map((fault) => fault.split(" ").slice(0, 2)), [["MISSING", name]])
      writeFileSync(path, content)
    }
  })

  it("refuses the artifact of another job over the same source, although its content is the same", () => {
    const other = leftBy("job_01kaj3e5h8z9q0w1x2y3z4a5b7")
    assert.deepStrictEqual(other.statement.subject, leftBy().statement.subject)
    const mixed = writeSigned({
      files: { ...leftBy().files, "graph.json": other.files["graph.json"]! },
      statement: leftBy().statement
    })
    assert.deepStrictEqual(found(mixed).faults, ["DIFFERS graph.json (the knowledge graph): it belongs to another job"])
    rmSync(mixed, { recursive: true })
  })

  it("refuses a text for scoring that names no job, and another word where what is said looks like what names none", () => {
    const { files, statement } = leftBy()
    for (const format of ["stm", "ctm", "rttm"]) {
      const name = `transcript.${format}`
      const nameless = (files[name] as string).replaceAll(jobId, "JOB_ID")
      const other = writeSigned({ files: { ...files, [name]: nameless }, statement })
      assert.match(found(other).faults.join(), new RegExp(String.raw`^DIFFERS transcript\.${format} `, "u"))
      rmSync(other, { recursive: true })
    }
    const said = "Set JOB_ID first.\n"
    const digest = { sha256: createHash("sha256").update(said).digest("hex") }
    const subject = statement.subject.map((subject) =>
      subject.name === "transcript.txt" ? { ...subject, digest, annotations: { job_id: "JOB_ID" } } : subject
    )
    for (const [text, faults] of [[said, 0], [said.replace("JOB_ID", jobId), 1]] as const) {
      const folder = writeSigned({ files: { ...files, "transcript.txt": text }, statement: { ...statement, subject } })
      assert.strictEqual(found(folder).faults.length, faults, text)
      rmSync(folder, { recursive: true })
    }
  })

  it("refuses what is no file", () => {
    const other = writeSigned()
    rmSync(join(other, "result.json"))
    mkdirSync(join(other, "result.json"))
    assert.deepStrictEqual(found(other).faults, ["DIFFERS result.json (the result): it is no file"])
    rmSync(join(other, "frames"), { recursive: true })
    writeFileSync(join(other, "frames"), "")
    assert.ok(found(other).faults.some((fault) => fault.startsWith("MISSING frames/")))
    rmSync(other, { recursive: true })
  })

  it("refuses JSON that two readers would read differently", () => {
    const { files, statement } = leftBy()
    const result = files["result.json"] as string
    const doubled = writeSigned({ files: { ...files, "result.json": `{"title":"Free",${result.slice(1)}` }, statement })
    assert.match(found(doubled).faults.join(), /^DIFFERS result\.json \(the result\): it is no JSON: a second "title"/u)
    rmSync(doubled, { recursive: true })
  })

  it("lists files that the manifest says nothing of", () => {
    const { files, statement } = leftBy()
    const more = writeSigned({ files: { ...files, "notes.txt": "mine", "frames/frm_999999.jpg": "x" }, statement })
    assert.deepStrictEqual(
      compareFolder(
        more,
        JSON.parse(
          JSON.stringify(statement),
          (_, value) =>
            value !== null && typeof value === "object" && !Array.isArray(value)
              ? new Map(Object.entries(value))
              : value
        )
      ).uncovered,
      ["frames/frm_999999.jpg", "notes.txt"]
    )
    rmSync(more, { recursive: true })
  })

  it("reads no file outside of the folder, whatever the statement names", () => {
    for (const name of ["../secret.json", "/etc/passwd", "frames/../../a.json", "a\0.json", ""]) {
      const { files, statement } = leftBy()
      const forged = writeSigned({ files, statement: { ...statement, subject: [{ name, digest: {} }] } })
      assert.throws(() => found(forged), Unreadable)
      rmSync(forged, { recursive: true })
    }
  })
})

describe("npm run footnote -- verify", () => {
  it("exits with 0 where all is as it was signed, and warns where nobody vouches for the key", async () => {
    const good = await run("verify", join(folder, "manifest.json"))
    assert.strictEqual(good.status, 0, good.stderr)
    assert.match(good.stdout, new RegExp(`^${names.length} files of ${jobId} are as they were signed\\.$`, "mu"))
    assert.match(good.stderr, /The key comes from the folder itself/u)
    const byFolder = await run("verify", folder, "--key-id", signingWith(9).key_id)
    assert.strictEqual(byFolder.status, 0)
    assert.strictEqual(byFolder.stderr, "")
  })

  it("names what the manifest says nothing of by its whole name, also from within the folder", async () => {
    const { files, statement } = leftBy()
    const more = writeSigned({ files: { ...files, "notes.txt": "mine", "frames/frm_999999.jpg": "x" }, statement })
    for (const given of [".", "./", "manifest.json", "frames/../manifest.json", more, `${more}/`]) {
      const { status, stdout } = await runIn(more, "verify", given)
      assert.strictEqual(status, 0, given)
      assert.match(stdout, /^Not covered by the manifest: frames\/frm_999999\.jpg, notes\.txt\.$/mu, given)
    }
    rmSync(more, { recursive: true })
  })

  it("exits with 1 and says what differs, the source too where it is given", async () => {
    const { files, source, statement } = leftBy()
    const bad = writeSigned({
      files: { ...files, "transcript.txt": "Never said.\n", "source.mp4": source, "other.mp4": "another" },
      statement
    })
    const own = await run("verify", bad, "--source", join(bad, "source.mp4"))
    assert.strictEqual(own.status, 1)
    assert.match(own.stdout, /^DIFFERS transcript\.txt \(the transcript\): its bytes are not those that were signed$/mu)
    assert.doesNotMatch(own.stdout, /DIFFERS .*source\.mp4/u)
    const other = await run("verify", bad, "--source", join(bad, "other.mp4"))
    assert.match(other.stdout, /^DIFFERS .*other\.mp4: it is not the source that the job ran on$/mu)
    rmSync(bad, { recursive: true })
  })

  it("exits with 1 where everything was signed anew by somebody else's key", async () => {
    const forged = writeSigned(leftBy(), 8)
    const trusted = join(folder, "signing-keys.json")
    assert.strictEqual((await run("verify", forged)).status, 0)
    for (const words of [["--keys", trusted], ["--key-id", signingWith(9).key_id]]) {
      const answer = await run("verify", forged, ...words)
      assert.strictEqual(answer.status, 1)
      assert.match(
        answer.stdout,
        /^UNKNOWN manifest\.json: it is signed by .*, which is not among the keys to trust$/mu
      )
    }
    rmSync(forged, { recursive: true })
  })

  it("takes the signature of the key that is named, whoever else has signed", async () => {
    const both = writeSigned()
    const rewrite = (name: string, change: (value: any) => void) => {
      const value = JSON.parse(readFileSync(join(both, name), "utf8"))
      change(value)
      writeFileSync(join(both, name), JSON.stringify(value))
    }
    rewrite("manifest.json", (manifest) => {
      const payload = Buffer.from(manifest.payload, "base64").toString("utf8")
      manifest.signatures.push(...signed(payload, 8).envelope.signatures)
    })
    rewrite("signing-keys.json", ({ keys }) => keys.push(...signingWith(8).keys))
    for (const byte of [8, 9]) {
      const { key_id } = signingWith(byte)
      const { status, stdout } = await run("verify", both, "--key-id", key_id)
      assert.strictEqual(status, 0, stdout)
      assert.match(stdout, new RegExp(`^Signed by the key ${key_id}\\.$`, "mu"))
    }
    rmSync(both, { recursive: true })
  })

  it("prints no character that a terminal obeys, whatever files, members and keys are called", async () => {
    const { files, statement } = leftBy()
    const wipe = "\u001b[2J\n"
    const doubled = `{${JSON.stringify(wipe)}:1,${JSON.stringify(wipe)}:1}`
    const hostile = writeSigned({ files: { ...files, [`a${wipe}.txt`]: "", "result.json": doubled }, statement })
    const named = await run("verify", hostile)
    assert.strictEqual(named.status, 1)
    const manifest = JSON.parse(readFileSync(join(hostile, "manifest.json"), "utf8"))
    manifest.signatures[0].keyid = `k${wipe}All is as it was signed.`
    writeFileSync(join(hostile, "manifest.json"), JSON.stringify(manifest))
    const unknown = await run("verify", hostile)
    assert.strictEqual(unknown.status, 1)
    assert.strictEqual(unknown.stdout.trimEnd().split("\n").length, 1)
    for (const { stdout } of [named, unknown]) assert.ok(!stdout.includes("\u001b"), stdout)
    rmSync(hostile, { recursive: true })
  })

  it("exits with 1 where another statement stands under the signature", async () => {
    const { files, statement } = leftBy()
    const forged = writeSigned({ files, statement })
    const manifest = JSON.parse(readFileSync(join(forged, "manifest.json"), "utf8"))
    const { payload } = signed(JSON.stringify({ ...statement, subject: [] })).envelope
    writeFileSync(join(forged, "manifest.json"), JSON.stringify({ ...manifest, payload }))
    const answer = await run("verify", forged)
    assert.strictEqual(answer.status, 1)
    assert.match(answer.stdout, /^FORGED {2}manifest\.json/u)
    rmSync(forged, { recursive: true })
  })

  it("takes the keys from the service's address", async () => {
    const server = createServer((_, response) => response.end(readFileSync(join(folder, "signing-keys.json"))))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo
    const answer = await run("verify", folder, "--keys", `http://127.0.0.1:${port}/.well-known/footnote-signing-keys`)
    assert.strictEqual(answer.status, 0, answer.stderr)
    assert.strictEqual(answer.stderr, "")
    server.close()
  })

  it("exits with 2 and a sentence where it cannot be told", async () => {
    const notSigned = join(folder, "evidence.json")
    for (
      const [words, said] of [
        [[], /^Usage: footnote verify/u],
        [["check", folder], /^Usage: footnote verify/u],
        [["verify", folder, "--nonsense"], /--nonsense/u],
        [["verify", join(folder, "absent")], /signing-keys\.json|absent/u],
        [["verify", notSigned], /evidence\.json is no signed manifest/u],
        [["verify", folder, "--keys", notSigned], /holds no key/u],
        [["verify", folder, "--keys", "http://127.0.0.1:9/"], /does not answer with keys/u]
      ] as const
    ) {
      const answer = await run(...words)
      assert.strictEqual(answer.status, 2, words.join(" "))
      assert.match(answer.stderr, said)
      assert.doesNotMatch(answer.stderr, /^\s+at /mu)
    }
  })

  it("says how it is used where that is asked for, as no mistake", async () => {
    for (const words of [["--help"], ["-h"], ["verify", "--help"]]) {
      const { status, stderr, stdout } = await run(...words)
      assert.deepStrictEqual({ status, stderr }, { status: 0, stderr: "" }, words.join(" "))
      assert.match(stdout, /^Usage: footnote verify/u)
    }
  })

  it("shares no line with what it verifies", () => {
    const tool = fileURLToPath(new URL("../../tools/verify-manifest/", import.meta.url))
    for (const path of [program, ...readdirSync(tool).map((name) => join(tool, name))]) {
      const imports = readFileSync(path, "utf8").matchAll(/^(?:import|export).* from "([^"]+)"/gmu)
      for (const [, from] of imports) assert.match(from!, /^(?:node:|\.\.?\/(?:verify-manifest\/)?[A-Z]\w+\.ts$)/u)
    }
  })
})
