/** A site whose addresses lead to a page about a video, not to the video's file. */
interface Site {
  readonly name: string
  /** The site's host; hosts below it belong to it too, unless `files` says that they serve files. */
  readonly host: string
  /** Which of the site's addresses are pages. Default: all. */
  readonly page?: (url: URL) => boolean
  /** Hosts below that serve the files themselves. */
  readonly files?: RegExp
  /** How to get a link to the file, where there is one. */
  readonly instead?: string
}

const path = (pattern: RegExp) => (url: URL) => pattern.test(url.pathname)

const sites: ReadonlyArray<Site> = [
  { name: "YouTube", host: "youtube.com" },
  { name: "YouTube", host: "youtu.be" },
  { name: "YouTube", host: "youtube-nocookie.com" },
  {
    name: "Vimeo",
    host: "vimeo.com",
    page: (url) => !/^\/(external|progressive_redirect)\//u.test(url.pathname),
    instead: "The owner finds a direct link under “Video file links” of the video's settings."
  },
  { name: "TikTok", host: "tiktok.com" },
  { name: "Instagram", host: "instagram.com" },
  { name: "X", host: "x.com" },
  { name: "X", host: "twitter.com" },
  { name: "Facebook", host: "facebook.com" },
  { name: "Facebook", host: "fb.watch" },
  { name: "Facebook", host: "fb.com" },
  { name: "Threads", host: "threads.net" },
  { name: "LinkedIn", host: "linkedin.com" },
  { name: "Pinterest", host: "pinterest.com" },
  { name: "Snapchat", host: "snapchat.com" },
  { name: "Twitch", host: "twitch.tv" },
  { name: "Kick", host: "kick.com" },
  { name: "Dailymotion", host: "dailymotion.com" },
  { name: "Dailymotion", host: "dai.ly" },
  { name: "Bilibili", host: "bilibili.com" },
  { name: "Bilibili", host: "b23.tv" },
  { name: "Niconico", host: "nicovideo.jp" },
  { name: "VK", host: "vk.com" },
  { name: "VK", host: "vkvideo.ru" },
  { name: "Rutube", host: "rutube.ru" },
  { name: "Rumble", host: "rumble.com" },
  { name: "Odysee", host: "odysee.com" },
  { name: "Streamable", host: "streamable.com", files: /^cdn/u },
  { name: "Reddit", host: "reddit.com" },
  { name: "Netflix", host: "netflix.com" },
  { name: "TED", host: "ted.com", page: path(/^\/talks\//u), files: /^(download|hls)\./u },
  { name: "SoundCloud", host: "soundcloud.com" },
  { name: "Spotify", host: "spotify.com" },
  { name: "Apple Podcasts", host: "podcasts.apple.com" },
  { name: "Loom", host: "loom.com", files: /^cdn\./u },
  { name: "Vidyard", host: "vidyard.com", page: path(/^\/(watch|share)\//u), files: /^cdn\./u },
  { name: "Wistia", host: "wistia.com", page: path(/^\/(medias|projects|embed\/iframe)\//u) },
  // What its API and its webhooks call `download_url` is the file itself.
  { name: "Zoom", host: "zoom.us", page: path(/^\/(rec(?!\/(webhook_)?download\/)|recording|clips|j|w)\b/u) },
  { name: "Microsoft Stream", host: "microsoftstream.com" },
  { name: "Google Photos", host: "photos.google.com" },
  { name: "Google Photos", host: "photos.app.goo.gl" },
  {
    name: "Google Drive",
    host: "drive.google.com",
    page: (url) => !/^(\/u\/\d+)?\/uc$/u.test(url.pathname),
    instead: "A shared file of up to 100 MB is also served by https://drive.google.com/uc?export=download&id=<file id>."
  },
  {
    name: "Dropbox",
    host: "dropbox.com",
    // Only this parameter makes the share link answer with the file.
    page: (url) => url.searchParams.get("dl") !== "1" && url.searchParams.get("raw") !== "1",
    files: /^(dl|content|api)\b/u,
    instead: "The same link with dl=1 in place of dl=0 leads to the file."
  },
  { name: "OneDrive", host: "1drv.ms" },
  {
    name: "OneDrive",
    host: "onedrive.live.com",
    page: (url) => !url.pathname.startsWith("/download"),
    instead: "The “Download” command of the page gives a link to the file."
  },
  {
    name: "SharePoint",
    host: "sharepoint.com",
    page: (url) => /^\/:[a-z]:\//u.test(url.pathname) && url.searchParams.get("download") !== "1",
    instead: "The same link with download=1 leads to the file, where it is shared with anyone."
  },
  { name: "Box", host: "box.com", page: path(/^\/(s|file|v)\//u) },
  { name: "iCloud", host: "icloud.com" },
  { name: "WeTransfer", host: "wetransfer.com", files: /^(download|storage)\b/u },
  { name: "WeTransfer", host: "we.tl" },
  { name: "MEGA", host: "mega.nz" },
  {
    name: "the Internet Archive",
    host: "archive.org",
    page: path(/^\/(details|embed)\//u),
    instead: "Its files are below https://archive.org/download/<item>/."
  },
  {
    name: "Wikimedia Commons",
    host: "commons.wikimedia.org",
    page: path(/^\/wiki\/File:/iu),
    instead: "“Original file” on the page is a link to upload.wikimedia.org, which can be used."
  },
  {
    name: "GitHub",
    host: "github.com",
    page: path(/^\/[^/]+\/[^/]+\/(blob|tree)\//u),
    instead: "“Raw” on the page is a link to the file."
  }
]

/** The site by every host that a URL's own host lies below, itself included. */
const siteOf = (url: URL): Site | undefined => {
  const host = url.hostname.replace(/\.$/u, "")
  for (const site of sites) {
    if (host === site.host) return site
    if (host.endsWith(`.${site.host}`) && site.files?.test(host) !== true) return site
  }
  return undefined
}

/**
 * What to do instead, for an address that is known to lead to a page about a video; undefined for every other. Nothing is
 * taken from such pages: whoever has the rights to a video can download it where it lies.
 */
export const hostingPage = (url: URL): string | undefined => {
  const site = siteOf(url)
  if (site === undefined || site.page?.(url) === false) return undefined
  return [
    `This is a page of ${site.name}, not a file.`,
    "Download the video, if you have the rights to it, and upload it with POST /v1/uploads, or give a direct link to the file.",
    ...(site.instead === undefined ? [] : [site.instead])
  ].join(" ")
}
