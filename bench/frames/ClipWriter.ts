import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Picture } from "./Drawing.ts"

/** Pictures per second of every made clip: five per sample, so changes fall between samples too. */
const RATE = 10

/** What is on screen from `t0` to `t1`, in seconds; `transition` and `blank` are nothing that should be kept. */
export interface State {
  readonly id: string | number
  readonly t0: number
  readonly t1: number
  readonly kind: "content" | "shot" | "transition" | "blank"
}

/** Encodes pictures one after the other and writes down what each stretch of them shows. */
export class ClipWriter {
  readonly #folder: string
  readonly #name: string
  readonly #states: Array<State> = []
  readonly #start: (width: number, height: number) => ReturnType<typeof spawn>
  #encoder: ReturnType<typeof spawn> | undefined
  #ended: Promise<unknown> = Promise.resolve()
  #pictures = 0

  constructor(ffmpeg: string, folder: string, name: string, options: {
    /** x264's constant rate factor: 26 is a good recording, 36 a poor one. */
    readonly crf: number
    readonly filter?: string
  }) {
    this.#folder = folder
    this.#name = name
    this.#start = (width, height) =>
      spawn(ffmpeg, [
        ...`-v error -y -f rawvideo -pix_fmt rgb24 -s ${width}x${height} -r ${RATE} -i -`.split(" "),
        "-vf",
        options.filter ?? "null",
        ...`-c:v libx264 -preset veryfast -threads 1 -crf ${options.crf} -g 80 -pix_fmt yuv420p`.split(" "),
        join(folder, `${name}.mp4`)
      ], { stdio: ["pipe", "ignore", "inherit"] })
  }

  get seconds(): number {
    return this.#pictures / RATE
  }

  /** One more picture, `count` times. */
  async show(picture: Picture, count = 1): Promise<void> {
    if (this.#encoder === undefined) {
      this.#encoder = this.#start(picture.width, picture.height)
      this.#ended = once(this.#encoder, "close")
    }
    for (let i = 0; i < count; i++) {
      if (!this.#encoder.stdin!.write(picture.rgb)) await once(this.#encoder.stdin!, "drain")
      this.#pictures++
    }
  }

  /** Notes that what `draw` shows is one state. */
  async state(id: string | number, kind: State["kind"], draw: () => Promise<void>): Promise<void> {
    const t0 = this.seconds
    await draw()
    this.#states.push({ id, t0, t1: this.seconds, kind })
  }

  /** Ends the clip and writes its truth beside it. Throws when the encoder failed. */
  async close(): Promise<void> {
    this.#encoder!.stdin!.end()
    await this.#ended
    if (this.#encoder!.exitCode !== 0) throw new Error(`ffmpeg could not encode ${this.#name}: is libx264 in it?`)
    await writeFile(join(this.#folder, `${this.#name}.gt.json`), JSON.stringify({ states: this.#states }))
  }
}
