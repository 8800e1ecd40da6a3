import { Effect } from "effect"
import { type AddressInfo, createServer, type Server } from "node:net"

/** Ways to write a URL that must never be asked for, with the port of a listener that would notice. */
export const forbiddenUrls = (port: number): ReadonlyArray<readonly [what: string, url: string]> => [
  ["loopback", `http://127.0.0.1:${port}/`],
  ["loopback by https", `https://127.0.0.1:${port}/`],
  ["all of the loopback network", `http://127.255.255.254:${port}/`],
  ["one decimal number", `http://2130706433:${port}/`],
  ["one hexadecimal number", `http://0x7f000001:${port}/`],
  ["one octal number", `http://017700000001:${port}/`],
  ["octal parts", `http://0177.0.0.1:${port}/`],
  ["octal parts with many zeros", `http://0000177.0.0.01:${port}/`],
  ["hexadecimal parts", `http://0x7f.0x0.0x0.0x1:${port}/`],
  ["two parts", `http://127.1:${port}/`],
  ["three parts", `http://127.0.1:${port}/`],
  ["mixed bases", `http://0x7f.1:${port}/`],
  ["a trailing dot", `http://127.0.0.1.:${port}/`],
  ["percent-encoded digits", `http://%31%32%37.0.0.1:${port}/`],
  ["full-width digits", `http://１２７.０.０.１:${port}/`],
  ["circled digits", `http://①②⑦.⓪.⓪.①:${port}/`],
  ["an ideographic full stop", `http://127。0。0。1:${port}/`],
  ["a half-width full stop", `http://127｡0｡0｡1:${port}/`],
  ["mathematical digits", `http://𝟏𝟐𝟕.𝟎.𝟎.𝟏:${port}/`],
  ["superscript digits", `http://¹²⁷.⁰.⁰.¹:${port}/`],
  ["a soft hyphen within", `http://127.0.0\u00ad.1:${port}/`],
  ["a zero-width space within", `http://127.0.0\u200b.1:${port}/`],
  ["a tab within", `http://127.0.\t0.1:${port}/`],
  ["a line feed within", `http://127.0.0.\n1:${port}/`],
  ["backslashes", `http:\\\\127.0.0.1:${port}\\`],
  ["one slash", `http:/127.0.0.1:${port}/`],
  ["no slash", `http:127.0.0.1:${port}/`],
  ["capitals", `HTTP://LOCALHOST:${port}/`],
  ["zero", `http://0:${port}/`],
  ["this host", `http://0.0.0.0:${port}/`],
  ["IPv6 loopback", `http://[::1]:${port}/`],
  ["IPv6 loopback in full", `http://[0:0:0:0:0:0:0:1]:${port}/`],
  ["IPv6 unspecified", `http://[::]:${port}/`],
  ["an IPv4-mapped address", `http://[::ffff:127.0.0.1]:${port}/`],
  ["an IPv4-mapped address in hexadecimal", `http://[::ffff:7f00:1]:${port}/`],
  ["an IPv4-mapped private address", `http://[::ffff:10.0.0.1]:${port}/`],
  ["an IPv4-compatible address", `http://[::127.0.0.1]:${port}/`],
  ["an IPv4-translated address", `http://[::ffff:0:127.0.0.1]:${port}/`],
  ["NAT64", `http://[64:ff9b::127.0.0.1]:${port}/`],
  ["NAT64 of the metadata service", `http://[64:ff9b::a9fe:a9fe]:${port}/`],
  ["local NAT64", `http://[64:ff9b:1::7f00:1]:${port}/`],
  ["6to4", `http://[2002:7f00:1::]:${port}/`],
  ["6to4 of a private address", `http://[2002:c0a8:101::1]:${port}/`],
  ["Teredo", `http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]:${port}/`],
  ["ORCHID", `http://[2001:20::1]:${port}/`],
  ["IPv6 documentation", `http://[2001:db8::1]:${port}/`],
  ["newer IPv6 documentation", `http://[3fff::1]:${port}/`],
  ["segment routing", `http://[5f00::1]:${port}/`],
  ["the discard prefix", `http://[100::1]:${port}/`],
  ["unique local", `http://[fc00::1]:${port}/`],
  ["the metadata service by IPv6", `http://[fd00:ec2::254]:${port}/`],
  ["link local", `http://[fe80::1]:${port}/`],
  ["link local with a zone", `http://[fe80::1%25lo]:${port}/`],
  ["site local", `http://[fec0::1]:${port}/`],
  ["IPv6 multicast", `http://[ff02::1]:${port}/`],
  ["private 10/8", `http://10.0.0.1:${port}/`],
  ["private 172.16/12", `http://172.31.255.255:${port}/`],
  ["private 192.168/16", `http://192.168.1.1:${port}/`],
  ["carrier-grade NAT", `http://100.64.0.1:${port}/`],
  ["another cloud's metadata", `http://100.100.100.200:${port}/`],
  ["link-local metadata", `http://169.254.169.254:${port}/latest/meta-data/`],
  ["link-local metadata as a number", `http://2852039166:${port}/`],
  ["protocol assignments", `http://192.0.0.192:${port}/`],
  ["documentation", `http://192.0.2.1:${port}/`],
  ["6to4 relays", `http://192.88.99.1:${port}/`],
  ["benchmarks", `http://198.18.0.1:${port}/`],
  ["multicast", `http://224.0.0.1:${port}/`],
  ["reserved", `http://240.0.0.1:${port}/`],
  ["broadcast", `http://255.255.255.255:${port}/`],
  ["localhost", `http://localhost:${port}/`],
  ["localhost with a dot", `http://localhost.:${port}/`],
  ["below localhost", `http://a.b.localhost:${port}/`],
  ["full-width localhost", `http://ｌｏｃａｌｈｏｓｔ:${port}/`],
  ["localhost with a long s", `http://localhoſt:${port}/`],
  ["localdomain", `http://localhost.localdomain:${port}/`],
  ["multicast DNS", `http://printer.local:${port}/`],
  ["a cloud's metadata by name", `http://metadata.google.internal:${port}/`],
  ["a home network", `http://router.home.arpa:${port}/`],
  ["a neighbour", `http://metadata:${port}/`],
  ["a neighbour with a dot", `http://intranet.:${port}/`],
  ["a user name", `http://user@127.0.0.1:${port}/`],
  ["a public name before the @", `http://example.com@127.0.0.1:${port}/`],
  ["a public name with port before the @", `http://example.com:80@127.0.0.1:${port}/`],
  ["a user at a public host", "https://user:secret@example.com/a.mp4"],
  ["a fragment that looks like a host", `http://127.0.0.1:${port}#@example.com/`],
  ["a backslash before the @", `http://127.0.0.1:${port}\\@example.com/`],
  ["an odd port", "http://example.com:22/"],
  ["a mail port", "http://example.com:25/"],
  ["a database port", "http://example.com:5432/"],
  ["a file", "file:///etc/passwd"],
  ["ftp", `ftp://127.0.0.1:${port}/`],
  ["gopher", `gopher://127.0.0.1:${port}/_GET`],
  ["dict", `dict://127.0.0.1:${port}/`],
  ["a socket", "unix:///var/run/docker.sock"],
  ["data", "data:video/mp4;base64,AAAA"],
  ["an archive of a URL", `jar:http://127.0.0.1:${port}!/`],
  ["an address within blob:", `blob:http://127.0.0.1:${port}/a`],
  ["a websocket", `ws://127.0.0.1:${port}/`]
]

/** Names by what a resolver answers for them, the second list to the second question and so on. */
export const forbiddenNames: Readonly<Record<string, ReadonlyArray<ReadonlyArray<string>>>> = {
  "loopback.test": [["127.0.0.1"]],
  "loopback6.test": [["::1"]],
  "mapped.test": [["::ffff:127.0.0.1"]],
  "compatible.test": [["::127.0.0.1"]],
  "nat64.test": [["64:ff9b::7f00:1"]],
  "sixtofour.test": [["2002:7f00:1::"]],
  "teredo.test": [["2001:0:4136:e378:8000:63bf:3fff:fdd2"]],
  "metadata.test": [["169.254.169.254"]],
  "zone.test": [["fe80::1%lo"]],
  "mixed.test": [["93.184.216.34", "127.0.0.1"]],
  "mixed6.test": [["2606:4700::1111", "::1"]],
  "nothing.test": [[]],
  "odd.test": [["not an address"]]
}

const listen = (host: string, port: number, seen: (socket: unknown) => void) =>
  new Promise<Server | undefined>((resolve) => {
    const server = createServer((socket) => {
      seen(socket)
      socket.destroy()
    })
    server.once("error", () => resolve(undefined))
    server.listen(port, host, () => resolve(server))
  })

/** Counts every connection to this machine by loopback, IPv4 and IPv6 (where there is any), on one port. */
export const loopbackCanary = Effect.acquireRelease(
  Effect.promise(async () => {
    let sockets = 0
    const count = () => void sockets++
    const four = (await listen("0.0.0.0", 0, count))!
    const { port } = four.address() as AddressInfo
    const six = await listen("::1", port, count)
    return { port, sockets: () => sockets, servers: [four, ...(six === undefined ? [] : [six])] }
  }),
  ({ servers }) => Effect.sync(() => servers.forEach((server) => server.close()))
)
