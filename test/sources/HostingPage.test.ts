import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { makeAddressPolicy } from "../../src/egress/AddressPolicy.ts"
import { hostingPage } from "../../src/sources/HostingPage.ts"
import { parseSourceUri } from "../../src/sources/SourceUri.ts"

const pages = [
  ["YouTube", "https://www.youtube.com/watch?v=dQw4w9WgXcQ"],
  ["YouTube", "https://m.youtube.com/shorts/abc"],
  ["YouTube", "https://YOUTU.BE/dQw4w9WgXcQ?t=1"],
  ["YouTube", "https://music.youtube.com./watch?v=a"],
  ["YouTube", "https://www.youtube-nocookie.com/embed/a"],
  ["Vimeo", "https://vimeo.com/76979871"],
  ["Vimeo", "https://player.vimeo.com/video/76979871"],
  ["TikTok", "https://www.tiktok.com/@a/video/1"],
  ["TikTok", "https://vm.tiktok.com/abc/"],
  ["Instagram", "https://www.instagram.com/reel/a/"],
  ["X", "https://x.com/a/status/1"],
  ["X", "https://twitter.com/a/status/1"],
  ["Facebook", "https://www.facebook.com/watch/?v=1"],
  ["Facebook", "https://fb.watch/abc/"],
  ["Twitch", "https://clips.twitch.tv/abc"],
  ["Dailymotion", "https://www.dailymotion.com/video/x1"],
  ["Bilibili", "https://www.bilibili.com/video/BV1"],
  ["Loom", "https://www.loom.com/share/abc"],
  ["Google Drive", "https://drive.google.com/file/d/1abc/view?usp=sharing"],
  ["Dropbox", "https://www.dropbox.com/scl/fi/a/b.mp4?rlkey=c&dl=0"],
  ["OneDrive", "https://1drv.ms/v/s!abc"],
  ["SharePoint", "https://acme.sharepoint.com/:v:/s/team/abc"],
  ["Zoom", "https://us02web.zoom.us/rec/share/abc"],
  ["Zoom", "https://us02web.zoom.us/rec/play/abc/download/"],
  ["Zoom", "https://us02web.zoom.us/rec/download"],
  ["Reddit", "https://www.reddit.com/r/a/comments/b/"],
  ["TED", "https://www.ted.com/talks/a"],
  ["Spotify", "https://open.spotify.com/episode/a"],
  ["Wistia", "https://acme.wistia.com/medias/abc"],
  ["WeTransfer", "https://we.tl/t-abc"],
  ["the Internet Archive", "https://archive.org/details/a"],
  ["Wikimedia Commons", "https://commons.wikimedia.org/wiki/File:A.webm"],
  ["GitHub", "https://github.com/a/b/blob/main/c.mp4"]
] as const

const files = [
  "https://example.com/watch?v=1",
  "https://notyoutube.com/watch?v=1",
  "https://youtube.com.example.org/watch?v=1",
  "https://example.com/youtube.com/a.mp4",
  "https://video.twimg.com/ext_tw_video/1.mp4",
  "https://player.vimeo.com/external/1.hd.mp4?s=a",
  "https://www.dropbox.com/scl/fi/a/b.mp4?rlkey=c&dl=1",
  "https://dl.dropboxusercontent.com/s/a/b.mp4",
  "https://drive.google.com/uc?export=download&id=1abc",
  "https://acme.sharepoint.com/:v:/s/team/abc?download=1",
  "https://archive.org/download/a/a.mp4",
  "https://upload.wikimedia.org/wikipedia/commons/a/ab/A.webm",
  "https://raw.githubusercontent.com/a/b/main/c.mp4",
  "https://github.com/a/b/releases/download/v1/c.mp4",
  "https://cdn.loom.com/sessions/raw/a.mp4",
  "https://us02web.zoom.us/rec/download/Qm9yZWQ.abc?access_token=a",
  "https://zoom.us/rec/webhook_download/abc/def?access_token=a"
]

describe("hostingPage", () => {
  it.each(pages)("of %s refuses %s as a source and says what to do", (name, address) => {
    const parsed = parseSourceUri(address, makeAddressPolicy())
    assert.isTrue(Result.isFailure(parsed))
    if (!Result.isFailure(parsed)) return
    assert.strictEqual(parsed.failure._tag, "SOURCE_BLOCKED")
    const [detail] = parsed.failure.details ?? []
    assert.strictEqual(detail?.path, "/source_uri")
    assert.include(detail?.message, name)
    assert.include(detail?.message, "POST /v1/uploads")
  })

  it.each(files)("lets %s be tried", (address) => {
    assert.strictEqual(hostingPage(new URL(address)), undefined)
    assert.isTrue(Result.isSuccess(parseSourceUri(address, makeAddressPolicy())))
  })
})
