import { fullFormats } from "ajv-formats/dist/formats.js"
import { isHostname, isInternationalHostname } from "./Hostnames.ts"

const octet = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)"
const ipv4 = `${octet}(?:\\.${octet}){3}`
const ipv4Only = new RegExp(`^${ipv4}$`, "u")

/** RFC 4291: eight groups, the last two as IPv4 if wanted, `::` once for at least one group of zeros. */
const isIpv6 = (text: string): boolean => {
  const dotted = /(?:^|:)([\d.]*\.[\d.]*)$/u.exec(text)?.[1]
  if (dotted !== undefined && !ipv4Only.test(dotted)) return false
  const plain = dotted === undefined ? text : `${text.slice(0, -dotted.length)}0:0`
  const halves = plain.split("::")
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => half === "" ? [] : half.split(":"))
  return groups.every((group) => /^[\da-f]{1,4}$/iu.test(group)) &&
    (halves.length === 2 ? groups.length <= 7 : groups.length === 8)
}

/** RFC 3987's characters beyond ASCII, and those that only a query may hold. */
const beyond =
  "\\u{A0}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFEF}\\u{10000}-\\u{1FFFD}\\u{20000}-\\u{2FFFD}\\u{30000}-\\u{3FFFD}\\u{40000}-\\u{4FFFD}\\u{50000}-\\u{5FFFD}\\u{60000}-\\u{6FFFD}\\u{70000}-\\u{7FFFD}\\u{80000}-\\u{8FFFD}\\u{90000}-\\u{9FFFD}\\u{A0000}-\\u{AFFFD}\\u{B0000}-\\u{BFFFD}\\u{C0000}-\\u{CFFFD}\\u{D0000}-\\u{DFFFD}\\u{E1000}-\\u{EFFFD}"
const privateUse = "\\u{E000}-\\u{F8FF}\\u{F0000}-\\u{FFFFD}\\u{100000}-\\u{10FFFD}"

/** A reader of RFC 3986 references, or of RFC 3987 ones where `more` are the characters that those allow besides. */
const referenceReader = (more: string, moreInQuery: string) => {
  const characters = (extra: string) => new RegExp(`^(?:[\\w.~!$&'()*+,;=${more}${extra}\\-]|%[\\da-fA-F]{2})*$`, "u")
  const [user, name, path, query] = [
    characters(":"),
    characters(""),
    characters(":@\\/"),
    characters(`:@\\/?${moreInQuery}`)
  ]
  const authority = (text: string): boolean => {
    const at = text.indexOf("@")
    const [, host = "", literal] = /^(\[([^\]]*)\]|[^:]*)(?::\d*)?$/u.exec(text.slice(at + 1)) ?? []
    if (host === "" && !/^(?::\d*)?$/u.test(text.slice(at + 1))) return false
    if (at >= 0 && !user.test(text.slice(0, at))) return false
    if (literal === undefined) return name.test(host)
    return isIpv6(literal) || /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/iu.test(literal)
  }
  return (text: string): "absolute" | "relative" | undefined => {
    // RFC 3986, appendix B.
    const parts = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/su.exec(text)
    if (parts === null) return undefined
    const [, scheme, host, way = "", asked = "", fragment = ""] = parts
    if (scheme !== undefined && !/^[a-z][a-z\d+.-]*$/iu.test(scheme)) return undefined
    if (host !== undefined && !authority(host)) return undefined
    if (!path.test(way) || !query.test(asked)) return undefined
    if (!characterOfFragment(fragment, more)) return undefined
    // Without a scheme a colon in the first segment would begin one.
    if (scheme === undefined && host === undefined && /^[^/]*:/u.test(way)) return undefined
    return scheme === undefined ? "relative" : "absolute"
  }
}

const fragments = new Map<string, RegExp>()
const characterOfFragment = (text: string, more: string): boolean => {
  const known = fragments.get(more) ?? new RegExp(`^(?:[\\w.~!$&'()*+,;=:@/?${more}\\-]|%[\\da-fA-F]{2})*$`, "u")
  fragments.set(more, known)
  return known.test(text)
}

const uri = referenceReader("", "")
const iri = referenceReader(beyond, privateUse)

const daysOf = (year: number, month: number): number =>
  month === 2
    ? (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28)
    : [4, 6, 9, 11].includes(month)
    ? 30
    : 31

const isDate = (text: string): boolean => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/u.exec(text)?.map(Number) ?? []
  return month! >= 1 && month! <= 12 && day! >= 1 && day! <= daysOf(year!, month!)
}

/** RFC 3339: a leap second is the last of a day in UTC. */
const isTime = (text: string): boolean => {
  const parts = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/iu.exec(text)
  if (parts === null) return false
  const [hour, minute, second, ahead, behind] = [1, 2, 3, 5, 6].map((at) => Number(parts[at] ?? 0))
  if (hour! > 23 || minute! > 59 || ahead! > 23 || behind! > 59) return false
  if (second! < 60) return true
  const offset = (ahead! * 60 + behind!) * (parts[4] === "-" ? -1 : 1)
  return second === 60 && (hour! * 60 + minute! - offset + 2 * 1440) % 1440 === 1439
}

const isDateTime = (text: string): boolean =>
  /^t$/iu.test(text.slice(10, 11)) && isDate(text.slice(0, 10)) && isTime(text.slice(11))

/** RFC 3339, appendix A: units in order, none left out between two, weeks alone. */
const isDuration = (text: string): boolean =>
  /^P(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?)$/u.test(
    text
  ) &&
  text.length > 1

/** RFC 5321's mailbox, and RFC 6531's where `more` are the characters beyond ASCII. */
const mailbox = (more: string, isDomain: (text: string) => boolean) => {
  const local = new RegExp(
    `^(?:[\\w!#$%&'*+/=?^\`{|}~${more}\\-]+(?:\\.[\\w!#$%&'*+/=?^\`{|}~${more}\\-]+)*|"(?:[ !#-\\[\\]-~${more}]|\\\\[ -~])*")$`,
    "u"
  )
  return (text: string): boolean => {
    const at = text.lastIndexOf("@")
    const domain = text.slice(at + 1)
    const [, literal] = /^\[(.*)\]$/u.exec(domain) ?? []
    return at > 0 && Buffer.byteLength(text.slice(0, at)) <= 64 && local.test(text.slice(0, at)) &&
      (literal === undefined
        ? isDomain(domain)
        : ipv4Only.test(literal) || (/^ipv6:/iu.test(literal) && isIpv6(literal.slice(5))))
  }
}

const variable = "(?:\\w|%[\\da-fA-F]{2})"
const specified = `${variable}+(?:\\.${variable}+)*(?::[1-9]\\d{0,3}|\\*)?`
const template = new RegExp(
  `^(?:[!#$&'()*+,\\-./0-9:;=?@A-Z[\\]_a-z~${beyond}${privateUse}]|%[\\da-fA-F]{2}|\\{[+#./;?&=,!@|]?${specified}(?:,${specified})*\\})*$`,
  "u"
)

const isPointer = (text: string): boolean => /^(?:\/(?:[^~/]|~[01])*)*$/u.test(text)

const compiles = (text: string): boolean => {
  try {
    return Boolean(new RegExp(text, "u"))
  } catch {
    return false
  }
}

/** The formats that JSON Schema defines, as its test suite's `optional/format` asks for them; RFC by RFC, in linear time. */
export const standardFormats: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: isTime,
  "date-time": isDateTime,
  duration: isDuration,
  email: mailbox("", isHostname),
  "idn-email": mailbox(
    "\\u{80}-\\u{D7FF}\\u{E000}-\\u{10FFFF}",
    (text) => isInternationalHostname(text.normalize("NFC"))
  ),
  hostname: isHostname,
  "idn-hostname": isInternationalHostname,
  ipv4: (text) => ipv4Only.test(text),
  ipv6: isIpv6,
  uri: (text) => uri(text) === "absolute",
  "uri-reference": (text) => uri(text) !== undefined,
  iri: (text) => iri(text) === "absolute",
  "iri-reference": (text) => iri(text) !== undefined,
  uuid: (text) => /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/iu.test(text),
  "uri-template": (text) => template.test(text),
  "json-pointer": isPointer,
  "relative-json-pointer": (text) =>
    /^(?:0|[1-9]\d*)(?:#$|(?=\/|$))/u.test(text) && isPointer(text.replace(/^\d+#?/u, "")),
  regex: compiles
}

const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/u.test(text)

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** What `normaliseDialect` writes for draft-07's `contentEncoding` and `contentMediaType`. */
const contents: Readonly<Record<string, (text: string) => boolean>> = {
  "x-footnote-base64": isBase64,
  "x-footnote-json": isJson,
  "x-footnote-base64-json": (text) => isBase64(text) && isJson(Buffer.from(text, "base64").toString())
}

/** Every format that is asserted by code of this service. */
export const ownFormats: Readonly<Record<string, (text: string) => boolean>> = { ...standardFormats, ...contents }

/** Names that OpenAPI and ajv know besides (`int32`, `url`, `byte`), as `ajv-formats` asserts them. */
const others = Object.entries(fullFormats).filter(([name]) => !Object.hasOwn(ownFormats, name))
const asserted = new Map<string, any>([...Object.entries(ownFormats), ...others])

/** Whether a format of this name is asserted; any other is only told to whoever reads the schema. */
export const isAsserted = (name: string): boolean => asserted.has(name)

/** Whether a string or number has a format; one of a name that nobody defined has it. */
export const hasFormat = (name: string, value: string | number): boolean => {
  const format = asserted.get(name)
  if (format === undefined || format === true) return true
  if ((format.type ?? "string") !== typeof value) return true
  if (format instanceof RegExp) return format.test(String(value))
  if (typeof format === "function") return format(value)
  return format.validate instanceof RegExp ? format.validate.test(String(value)) : format.validate(value)
}
