import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { looksLikePage, sniff } from "../../../../workers/media/source/Sniff.ts"

const bytes = (text: string, length = 4100) => {
  const buffer = Buffer.alloc(length)
  buffer.write(text, "latin1")
  return buffer
}

const transport = (start: number, size: number) => {
  const buffer = Buffer.alloc(4100)
  for (let at = start; at < buffer.length; at += size) buffer[at] = 0x47
  return buffer
}

/** Two MPEG-1 layer III frames of 128 kb/s at 44.1 kHz: 417 bytes each. */
const mp3 = (prefix: Buffer) => {
  const body = Buffer.alloc(2000)
  for (const at of [0, 417, 834]) body.set([0xff, 0xfb, 0x90, 0x64], at)
  return Buffer.concat([prefix, body])
}

const adts = () => {
  const body = Buffer.alloc(2000)
  for (const at of [0, 200, 400]) body.set([0xff, 0xf1, 0x50, 0x80, 200 >> 3, (200 & 7) << 5, 0xfc], at)
  return body
}

const id3 = (size: number) =>
  Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, size >> 7, size & 127]), Buffer.alloc(size)])

const media: ReadonlyArray<readonly [name: string, Uint8Array, container: string, demuxer: string]> = [
  ["MP4", bytes("\0\0\0\x20ftypisom"), "mp4", "mov"],
  ["QuickTime", bytes("\0\0\0\x14ftypqt  "), "mov", "mov"],
  ["old QuickTime", bytes("\0\0\0\x08wide\0\0\0\0mdat"), "mov", "mov"],
  ["3GP", bytes("\0\0\0\x20ftyp3gp4"), "3gp", "mov"],
  ["WebM", bytes("\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm"), "webm", "matroska"],
  ["Matroska", bytes("\x1a\x45\xdf\xa3\x9f\x42\x82\x88matroska"), "matroska", "matroska"],
  ["MPEG-TS", transport(0, 188), "mpegts", "mpegts"],
  ["MPEG-TS with time codes", transport(4, 192), "mpegts", "mpegts"],
  ["MPEG-PS", bytes("\0\0\x01\xba\x44"), "mpeg", "mpeg"],
  ["AVI", bytes("RIFF\x10\0\0\0AVI LIST"), "avi", "avi"],
  ["WAV", bytes("RIFF\x10\0\0\0WAVEfmt "), "wav", "wav"],
  ["RF64", bytes("RF64\xff\xff\xff\xffWAVEds64"), "wav", "wav"],
  ["FLV", bytes("FLV\x01\x05"), "flv", "flv"],
  ["Ogg", bytes("OggS\0\x02"), "ogg", "ogg"],
  ["FLAC", bytes("fLaC\0\0\0\x22"), "flac", "flac"],
  ["AMR", bytes("#!AMR\n"), "amr", "amr"],
  ["ASF", bytes("\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9"), "asf", "asf"],
  ["MXF", bytes("\x06\x0e\x2b\x34\x02\x05\x01\x01\x0d\x01\x02\x01\x01\x02\x04"), "mxf", "mxf"],
  ["MP3", mp3(Buffer.alloc(0)), "mp3", "mp3"],
  ["MP3 behind ID3", mp3(id3(300)), "mp3", "mp3"],
  ["MP3 behind a long ID3", id3(16_000), "mp3", "mp3"],
  ["ADTS", adts(), "aac", "aac"],
  ["ADTS behind ID3", Buffer.concat([id3(50), adts()]), "aac", "aac"]
]

const others: ReadonlyArray<readonly [name: string, Uint8Array]> = [
  ["nothing", Buffer.alloc(0)],
  ["HLS playlist", bytes("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd")],
  ["ffconcat", bytes("ffconcat version 1.0\nfile other.mp4")],
  ["DASH", bytes("<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash\">")],
  ["SDP", bytes("v=0\no=- 0 0 IN IP4 127.0.0.1")],
  ["SRT", bytes("1\n00:00:00,000 --> 00:00:01,000\nhello")],
  ["WebVTT", bytes("WEBVTT\n\n00:00.000 --> 00:01.000\nhello")],
  ["SVG", bytes("<svg xmlns=\"http://www.w3.org/2000/svg\">")],
  ["PNG", bytes("\x89PNG\r\n\x1a\n")],
  ["GIF", bytes("GIF89a")],
  ["JPEG", bytes("\xff\xd8\xff\xe0\0\x10JFIF")],
  ["WebP", bytes("RIFF\x10\0\0\0WEBPVP8 ")],
  ["HEIC", bytes("\0\0\0\x18ftypheic")],
  ["AVIF", bytes("\0\0\0\x1cftypavif")],
  ["ELF", bytes("\x7fELF\x02\x01\x01")],
  ["ZIP", bytes("PK\x03\x04")],
  ["PDF", bytes("%PDF-1.7")],
  ["one stray sync", bytes("\xff\xfb\x90\x64not audio at all")],
  ["zeros", Buffer.alloc(4100)]
]

describe("Sniff", () => {
  it.each(media)("opens %s", (_, head, container, demuxer) => {
    assert.deepStrictEqual(sniff(head), { container, demuxer })
  })

  it.each(others)("opens nothing for %s", (_, head) => {
    assert.isUndefined(sniff(head))
  })

  it("answers for any bytes of any length without failing", () => {
    const beginnings = [
      "",
      "ID3",
      "\xff\xf1",
      "\xff\xfb",
      "RIFF",
      "RF64",
      "\0\0\0\0ftyp",
      "\x1a\x45\xdf\xa3",
      "G",
      "OggS"
    ]
    const heads = fc.tuple(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 400 }))
      .map(([beginning, rest]) => Buffer.concat([Buffer.from(beginning, "latin1"), rest]))
    const demuxers = new Set(media.map(([, , , demuxer]) => demuxer))
    fc.assert(fc.property(heads, (head) => {
      const found = sniff(head)
      assert.isTrue(found === undefined || demuxers.has(found.demuxer), found?.demuxer)
    }))
  })

  it("opens no text", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme-ascii", minLength: 8, maxLength: 300 }), (text) => {
      fc.pre(
        !/^(OggS|fLaC|#!AMR|ID3)|^RIFF.{4}(AVI |WAVE)|^.{4}(ftyp|moov|mdat|free|skip|wide|pnot|styp|moof|sidx)/su.test(
          text
        )
      )
      assert.isUndefined(sniff(Buffer.from(text)))
    }))
  })

  it("knows a web page, whatever stands in front of its first tag", () => {
    for (
      const page of [
        "<!DOCTYPE html><p>",
        "\n  <html lang=en>",
        "<!-- a --><head>",
        "\u00EF\u00BB\u00BF<!doctype html>"
      ]
    ) {
      assert.isTrue(looksLikePage(Buffer.from(page, "latin1")), page)
    }
    assert.isFalse(looksLikePage(Buffer.from("<svg><html></html></svg>")))
    assert.isFalse(looksLikePage(Buffer.from("plain text about <html>")))
  })
})
