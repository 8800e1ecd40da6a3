import { Option, Schema } from "effect"
import { languageTag } from "../../../src/text/LanguageTag.ts"
import { clockwise, type Header, pixelAspect, type StreamHeader, told } from "./HeaderText.ts"

const Text = Schema.optionalKey(Schema.String)
const Whole = Schema.optionalKey(Schema.Int)

const Answer = Schema.Struct({
  format: Schema.optionalKey(Schema.Struct({ duration: Text, start_time: Text })),
  streams: Schema.optionalKey(Schema.Array(Schema.Struct({
    index: Schema.Int,
    codec_type: Text,
    codec_name: Text,
    width: Whole,
    height: Whole,
    sample_aspect_ratio: Text,
    avg_frame_rate: Text,
    field_order: Text,
    color_transfer: Text,
    color_space: Text,
    disposition: Schema.optionalKey(Schema.Struct({ default: Whole, forced: Whole })),
    tags: Schema.optionalKey(Schema.Struct({ language: Text })),
    side_data_list: Schema.optionalKey(Schema.Array(Schema.Struct({ rotation: Schema.optionalKey(Schema.Finite) })))
  })))
})

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Answer))

/** The `-show_entries` that `readHeaderJson` needs. */
export const HEADER_ENTRIES =
  "format=duration,start_time:stream=index,codec_type,codec_name,width,height,sample_aspect_ratio,avg_frame_rate"
  + ",field_order,color_transfer,color_space"
  + ":stream_side_data=rotation:stream_tags=language:stream_disposition=default,forced"

const ratio = (text: string | undefined, separator: string): number => {
  const [a, b] = (text ?? "").split(separator).map(Number)
  return a! / b!
}

/** The order of the fields; `progressive` and `unknown` are the others. */
const fieldOrders = new Set(["tt", "bb", "tb", "bt"])

const kind = (type: string | undefined): StreamHeader["kind"] =>
  type === "video" || type === "audio" || type === "subtitle" ? type : "other"

/** Reads ffprobe's JSON; undefined when it is not what ffprobe writes. */
export const readHeaderJson = (json: string): Header | undefined => {
  const answer = Option.getOrUndefined(decode(json))
  if (answer === undefined) return undefined
  const duration = Number(answer.format?.duration)
  const start = Number(answer.format?.start_time)
  return {
    duration_seconds: Number.isFinite(duration) && duration >= 0 ? duration : null,
    start_seconds: Number.isFinite(start) ? start : 0,
    streams: (answer.streams ?? []).map((stream) => {
      const rate = ratio(stream.avg_frame_rate, "/")
      const turned = stream.side_data_list?.find((data) => data.rotation !== undefined)?.rotation ?? 0
      return {
        index: stream.index,
        kind: kind(stream.codec_type),
        codec: stream.codec_name ?? "unknown",
        width: stream.width ?? 0,
        height: stream.height ?? 0,
        pixel_aspect: pixelAspect(ratio(stream.sample_aspect_ratio, ":"), 1),
        rotation: clockwise(turned),
        frame_rate: Number.isFinite(rate) && rate > 0 ? Math.round(rate * 100) / 100 : null,
        interlaced: fieldOrders.has(stream.field_order ?? ""),
        transfer: told(stream.color_transfer),
        matrix: told(stream.color_space),
        language: languageTag(stream.tags?.language),
        is_default: stream.disposition?.default === 1,
        is_forced: stream.disposition?.forced === 1
      }
    })
  }
}
