import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"

/** Hostile files of others, where this machine has them beside the repository. */
export const hostileFolder = join(import.meta.dirname, "../../../../shared/assets/hostile")

/** Their names, none where the folder is missing: what is not a clip there makes or describes them. */
export const hostileNames: ReadonlyArray<string> = existsSync(hostileFolder)
  ? readdirSync(hostileFolder).filter((name) => !/\.(?:json|sh|py|mjs)$/u.test(name)).toSorted()
  : []

/** The port of this machine that these files send a decoder to. */
export const HOSTILE_PORT = 18_999

const ends: Readonly<Record<string, string>> = {
  "bitflip_moov.mp4": "SOURCE_CORRUPT",
  "day_long_video.mp4": "SOURCE_TOO_LONG",
  "deep_boxes.mp4": "SOURCE_CORRUPT",
  "encrypted_cenc.mp4": "SOURCE_CORRUPT",
  "h264_8192.mp4": "MEDIA_LIMIT_EXCEEDED",
  "hevc_16384.mp4": "MEDIA_LIMIT_EXCEEDED",
  "invalid_vp9.webm": "SOURCE_CORRUPT",
  "streams_300.mkv": "MEDIA_LIMIT_EXCEEDED",
  "truncated_nomoov.mp4": "SOURCE_CORRUPT",
  "bitflip_mdat.mp4": "partial",
  "duration_143165s.mp4": "partial",
  "duration_lie.mp4": "partial",
  "gap.mkv": "partial",
  "res_change.ts": "partial",
  "stsz_200M.mp4": "partial",
  "truncated_faststart.mp4": "partial",
  "audio_only.m4a": "whole",
  "ch16.wav": "whole",
  "cover_art.mp3": "whole",
  "fps_1000.mp4": "whole",
  "gap_1h.mp4": "whole",
  "one_px.avi": "whole",
  "rotated90.mp4": "whole",
  "sar_1_255.mp4": "whole",
  "stts_huge.mp4": "whole",
  "tenant_b.ts": "whole",
  "video_only.mp4": "whole"
}

/** How a file has to end: the code it is refused with, `partial` where damage or a lie is told, or `whole`. */
export const expectedEnd = (name: string): string => ends[name] ?? "SOURCE_NOT_MEDIA"
