import type { MediaLimits } from "./MediaLimits.ts"
import { FED_INPUT, INPUT } from "./MediaProcess.ts"

/** Decoders that may run. Text renderers, image sequences, game formats and playlists are not among them. */
const decoders = [
  "h264,hevc,av1,libdav1d,libaom-av1,vp8,vp9,libvpx,libvpx-vp9,mpeg1video,mpeg2video,mpeg4,h263,h263p,h261,flv",
  "msmpeg4v1,msmpeg4v2,msmpeg4,wmv1,wmv2,wmv3,vc1,vp6,vp6f,vp6a,theora,prores,mjpeg,dvvideo,dnxhd,ffv1,huffyuv",
  "ffvhuff,utvideo,rawvideo,v210,cinepak,svq3,svq1,qtrle,cfhd,magicyuv,vvc",
  "aac,aac_fixed,aac_latm,libfdk_aac,mp1,mp1float,mp2,mp2float,mp3,mp3float,mp3adufloat,ac3,ac3_fixed,eac3,dca,truehd",
  "mlp,opus,libopus,vorbis,libvorbis,flac,alac,ape,wavpack,tta,wmav1,wmav2,wmapro,wmavoice,wmalossless",
  "amrnb,amrwb,libopencore_amrnb,libopencore_amrwb,speex,libspeex,gsm,gsm_ms,libgsm,libgsm_ms,g722,g726,qdm2,nellymoser",
  "adpcm_ms,adpcm_ima_wav,adpcm_ima_qt,adpcm_swf,adpcm_g722,adpcm_g726,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be",
  "pcm_s32le,pcm_s32be,pcm_u8,pcm_s8,pcm_f32le,pcm_f32be,pcm_f64le,pcm_f64be,pcm_alaw,pcm_mulaw,pcm_bluray,pcm_dvd",
  "mov_text,subrip,srt,ass,ssa,webvtt,text"
].join(",")

/** Where reading a long stream stops: so far beyond the limit that even one frame a minute is seen to go beyond it. */
const readableSeconds = (limits: MediaLimits): number => limits.max_duration_seconds + 61

/** Options as one reads them. No value may hold a space: the line is split, never interpreted. */
export const flags = (line: string): ReadonlyArray<string> => line.split(" ")

/**
 * Everything that stands before the output options: one forced demuxer, local files only, allowed decoders only, and
 * bounds on pixels, streams, probing, single allocations and input time. `extra` are options of the decoder itself.
 */
export const inputArguments = (
  demuxer: string,
  limits: MediaLimits,
  { extra = [], threads = 1 }: { readonly extra?: ReadonlyArray<string>; readonly threads?: number } = {}
): ReadonlyArray<string> => [
  ...flags("-nostdin -hide_banner -max_alloc 536870912"),
  ...extra,
  ...flags(`-threads ${threads}`),
  ...demuxerArguments(demuxer, limits),
  ...flags(`-t ${readableSeconds(limits)} -i ${INPUT}`)
]

/** The same for packets that were chosen before they are fed to a decoder: at the times that they bear, whenever they begin. */
export const fedArguments = (demuxer: string, limits: MediaLimits, threads: number): ReadonlyArray<string> => [
  ...flags(`-nostdin -hide_banner -max_alloc 536870912 -copyts -threads ${threads}`),
  ...demuxerArguments(demuxer, limits, "pipe"),
  ...flags(`-i ${FED_INPUT}`)
]

/** An output option: every picture as it comes, none doubled or dropped for an even rate. Its name changed in FFmpeg 5.1. */
export const everyPicture = (libavformat: readonly [major: number, minor: number]): ReadonlyArray<string> =>
  libavformat[0] >= 59 ? flags("-fps_mode passthrough") : flags("-vsync 0")

/** The part that ffprobe understands as well. */
export const demuxerArguments = (
  demuxer: string,
  limits: MediaLimits,
  protocol: "file" | "pipe" = "file"
): ReadonlyArray<string> => [
  ...flags(`-protocol_whitelist ${protocol} -format_whitelist ${demuxer} -codec_whitelist ${decoders}`),
  ...flags(`-max_pixels ${limits.max_pixels} -max_streams ${limits.max_streams}`),
  ...flags(`-probesize 20M -analyzeduration 20M -f ${demuxer}`)
]
