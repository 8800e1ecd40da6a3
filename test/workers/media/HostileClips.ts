import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { flags } from "../../../workers/media/ffmpeg/InputArguments.ts"
import { makeClip, recipes } from "./MediaLab.ts"

/** Where a clip is put, and the decoder that makes it. */
interface Place {
  readonly ffmpeg: string
  readonly folder: string
}

const make = ({ ffmpeg, folder }: Place, name: string, args: ReadonlyArray<string>) =>
  makeClip(ffmpeg, folder, name, args)

const write = ({ folder }: Place, name: string, bytes: Uint8Array | string): string => {
  writeFileSync(join(folder, name), bytes)
  return join(folder, name)
}

const lavfi = (graph: string) => ["-f", "lavfi", "-i", graph]
const small = flags("-c:v libx264 -preset ultrafast -crf 51 -pix_fmt yuv420p")

const patched = (file: string, edit: (bytes: Buffer) => void): string => {
  const bytes = readFileSync(file)
  edit(bytes)
  writeFileSync(file, bytes)
  return file
}

/** Puts 32-bit numbers behind the letters of the first such box. */
const rewrite = (bytes: Buffer, box: string, edits: ReadonlyArray<readonly [offset: number, value: number]>) => {
  const at = bytes.indexOf(box)
  for (const [offset, value] of edits) bytes.writeUInt32BE(value, at + 4 + offset)
}

const nested = (depth: number): Buffer => {
  let box = Buffer.alloc(0)
  for (let level = 0; level < depth; level++) {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(box.length + 8)
    head.write(level === depth - 1 ? "moov" : "udta", 4, "latin1")
    box = Buffer.concat([head, box])
  }
  return box
}

/** One clip that lies or overreaches, and how it has to end: a failure's code, `partial` with a warning, or `whole`. */
interface HostileClip {
  readonly name: string
  readonly ends: string
  readonly of: (place: Place, port: number) => string
}

/**
 * Clips made here that do what hostile files do: claim a day, 300 streams, a picture of 37 million points, a thousand
 * frames a second, counts without an end, and playlists that name a neighbour or `port` of this machine.
 */
export const hostileClips: ReadonlyArray<HostileClip> = [
  {
    name: "a thousand frames a second",
    ends: "whole",
    of: (place) => make(place, "fps.mp4", [...lavfi("testsrc2=size=16x16:rate=1000:duration=5"), ...small, "NAME"])
  },
  {
    name: "a day of pictures",
    ends: "SOURCE_TOO_LONG",
    of: (place) =>
      make(place, "day.mp4", [...lavfi("color=black:size=64x64:rate=1/20:duration=86400"), ...small, "NAME"])
  },
  {
    name: "300 streams",
    ends: "MEDIA_LIMIT_EXCEEDED",
    of: (place) =>
      make(place, "streams.mov", [
        ...lavfi("sine=duration=0.2"),
        ...Array.from({ length: 300 }, () => ["-map", "0:a"]).flat(),
        ...flags("-c:a pcm_s16le NAME")
      ])
  },
  {
    name: "6144 x 6016 points",
    ends: "MEDIA_LIMIT_EXCEEDED",
    of: (place) =>
      make(place, "large.mp4", [
        ...lavfi("color=black:size=6144x6016:rate=1:duration=1"),
        ...small,
        "-frames:v",
        "1",
        "NAME"
      ])
  },
  {
    name: "a duration that lies",
    ends: "partial",
    of: (place) =>
      patched(make(place, "lie.mp4", recipes.video_and_sound(2)), (bytes) => {
        for (const box of ["mvhd", "mdhd"]) rewrite(bytes, box, [[16, 0xffff_fff0]])
      })
  },
  {
    name: "frames that last for ever",
    ends: "whole",
    of: (place) =>
      patched(
        make(place, "stts.mp4", recipes.video_only),
        (bytes) => rewrite(bytes, "stts", [[8, 0xfff_ffff], [12, 0x7fff_ffff]])
      )
  },
  {
    name: "200 million samples of one byte",
    ends: "partial",
    of: (place) =>
      patched(
        make(place, "stsz.mp4", recipes.video_and_sound(2)),
        (bytes) => rewrite(bytes, "stsz", [[4, 1], [8, 200_000_000]])
      )
  },
  {
    name: "boxes in boxes, 5,000 deep",
    ends: "SOURCE_CORRUPT",
    of: (place) =>
      write(place, "deep.mp4", Buffer.concat([Buffer.from("\0\0\0\x10ftypisom\0\0\0\0", "latin1"), nested(5000)]))
  },
  {
    name: "an HLS playlist called a film",
    ends: "SOURCE_NOT_MEDIA",
    of: (place, port) =>
      write(
        place,
        "hls.mp4",
        `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nhttp://127.0.0.1:${port}/a.ts\n#EXT-X-ENDLIST\n`
      )
  },
  {
    name: "a list of files called a film",
    ends: "SOURCE_NOT_MEDIA",
    of: (place, port) => {
      make(place, "neighbour.mp4", recipes.video_only)
      return write(place, "list.mp4", `ffconcat version 1.0\nfile neighbour.mp4\nfile http://127.0.0.1:${port}/b.ts\n`)
    }
  },
  {
    name: "subtitles in AVI that are a playlist",
    ends: "SOURCE_NOT_MEDIA",
    of: (place, port) => write(place, "gab2.avi", playlistInAvi(`http://127.0.0.1:${port}/gab2`))
  },
  { name: "nothing", ends: "SOURCE_NOT_MEDIA", of: (place) => write(place, "empty.mp4", "") }
]

const chunk = (name: string, data: Buffer): Buffer => {
  const head = Buffer.alloc(8)
  head.write(name, "latin1")
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

const words = (...values: ReadonlyArray<number>): Buffer => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value, 4 * at)
  return bytes
}

/** A text stream in AVI (GAB2) whose text is a playlist: decoders that guess the format of subtitles used to follow it. */
const playlistInAvi = (url: string): Buffer => {
  const list = Buffer.from(`#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10.0,\n${url}\n#EXT-X-ENDLIST\n`)
  const gab2 = Buffer.concat([
    Buffer.from("GAB2\0\x02\0", "latin1"),
    words(2),
    Buffer.from("\0\0\x04\0", "latin1"),
    words(list.length),
    list
  ])
  const stream = Buffer.concat([
    Buffer.from("strl"),
    chunk("strh", Buffer.concat([Buffer.from("txts\0\0\0\0", "latin1"), words(0, 0, 0, 1, 25, 0, 1, 0, 0, 0, 0, 0)])),
    chunk("strf", Buffer.alloc(40))
  ])
  const header = Buffer.concat([
    Buffer.from("hdrl"),
    chunk("avih", words(40_000, 0, 0, 0x10, 1, 0, 1, 0, 320, 180, 0, 0, 0, 0)),
    chunk("LIST", stream)
  ])
  const body = Buffer.concat([
    Buffer.from("AVI "),
    chunk("LIST", header),
    chunk("LIST", Buffer.concat([Buffer.from("movi"), chunk("00tx", gab2)]))
  ])
  return chunk("RIFF", body)
}

/** Arguments that make one small clip of each kind of container, as stock for mutations. */
export const stock: Readonly<Record<string, ReadonlyArray<string>>> = {
  "clip.mp4": recipes.video_and_sound(2),
  "clip.mkv": [...recipes.video_and_sound(2).slice(0, -3), "NAME"],
  "clip.ts": recipes.video_only,
  "clip.avi": [...lavfi("testsrc2=size=160x90:rate=12:duration=2"), ...flags("-c:v mpeg4 NAME")],
  "clip.flv": [...lavfi("testsrc2=size=160x90:rate=12:duration=2"), ...flags("-c:v flv NAME")],
  "clip.webm": [...lavfi("testsrc2=size=160x90:rate=12:duration=2"), ...flags("-c:v libvpx -deadline realtime NAME")],
  "clip.wav": [...lavfi("sine=frequency=330:duration=2"), "NAME"],
  "clip.mp3": [...lavfi("sine=frequency=330:duration=2"), ...flags("-c:a libmp3lame NAME")],
  "clip.flac": [...lavfi("sine=frequency=330:duration=2"), "NAME"],
  "clip.ogg": [...lavfi("sine=frequency=330:duration=2"), ...flags("-c:a libvorbis NAME")]
}
