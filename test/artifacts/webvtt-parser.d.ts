declare module "webvtt-parser" {
  interface Cue {
    readonly id: string
    readonly startTime: number
    readonly endTime: number
    readonly text: string
    readonly tree: { readonly children: ReadonlyArray<Node> }
  }
  interface Node {
    readonly type: "text" | "object" | "timestamp"
    readonly name?: string
    readonly value: string
    readonly children?: ReadonlyArray<Node>
  }
  export class WebVTTParser {
    constructor(entities: Readonly<Record<string, string>>)
    parse(input: string, mode?: string): {
      readonly cues: ReadonlyArray<Cue>
      readonly errors: ReadonlyArray<{ readonly message: string; readonly line: number }>
    }
  }
}
