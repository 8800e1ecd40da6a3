/** A way in that speaks another protocol than the REST API: what is said there, and how. */
export interface Door {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly type: string
  readonly headers: ReadonlyArray<string>
  readonly bodies: ReadonlyArray<string>
}

const json = "application/json"
const form = "application/x-www-form-urlencoded"

const message = (method: string, params: string, id = "1") =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`
const call = (args: string, name = "get_job") => message("tools/call", `{"name":"${name}","arguments":${args}}`)
const initialize = (info: string) =>
  message("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":${info}}`)

const messages: ReadonlyArray<string> = [
  call(`{"job_id":"job_1"}`),
  call(`{"job_id":"\\u0000"}`),
  call(`{"job_id":"\\ud800"}`),
  call(`{"job_id":"job_1","job_id":"job_2"}`),
  call(`{"job_id":1e400}`),
  call(`{"__proto__":{"job_id":"x"}}`),
  call(`${"[".repeat(3000)}${"]".repeat(3000)}`),
  call(`{"source_uri":"https://example.com/a.mp4","schema_inline":{"a":1,"a":2}}`, "extract"),
  call(`{"name":"n\\u0000","json_schema":{"type":"object"}}`, "create_schema"),
  call("{}", "\\u0000"),
  initialize(`{"name":"a","version":"1"}`),
  initialize(`{"name":"\\u0000","version":"1"}`),
  initialize(`{"name":"\\udfff","version":"1"}`),
  initialize(`{"name":"a","version":"1","version":"2"}`),
  initialize(`{"name":"${"a".repeat(30_000)}","version":"1"}`),
  message("tools/list", "{}"),
  message("tools/list", "{}", "1e999"),
  message("tools/list", `{"cursor":"\\u0000"}`),
  message("\\u0000", "{}"),
  `{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"ping"}`,
  `[${message("ping", "{}")},${message("ping", "{}")}]`,
  `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
  `{"jsonrpc":"2.0","id":1,"result":{"a":"\\u0000"}}`,
  "[]",
  "{}",
  "null",
  "\xff\xfe"
]

const clients: ReadonlyArray<string> = [
  `{"redirect_uris":["http://127.0.0.1:9/callback"]}`,
  `{"redirect_uris":["http://127.0.0.1:9/callback"],"client_name":"\\u0000"}`,
  `{"redirect_uris":["http://127.0.0.1:9/callback"],"client_name":"\\ud800"}`,
  `{"redirect_uris":["http://127.0.0.1:9/\\u0000"]}`,
  `{"redirect_uris":["https://a.example/"],"redirect_uris":["https://b.example/"]}`,
  `{"redirect_uris":[1e400,{},null]}`,
  `{"redirect_uris":"x","grant_types":5,"jwks":{"keys":[{}]},"jwks_uri":"http://169.254.169.254/"}`,
  `{"redirect_uris":["com.example:/\\u0000"],"__proto__":{"a":1},"software_id":{"a":["\\u0000"]}}`,
  `{"redirect_uris":["https://a.example/"],"client_name":"${"n".repeat(50_000)}"}`,
  `{"a":${"[".repeat(2000)}${"]".repeat(2000)}}`,
  `{"redirect_uris":["https://a.example/"],"token_endpoint_auth_method":"private_key_jwt"}`,
  `{"redirect_uris":["x"],"subject_type":"pairwise"}`,
  `{"redirect_uris":["https://a.example/"],"subject_type":"pairwise","sector_identifier_uri":"https://["}`,
  `{"redirect_uris":["https://a;b/"],"response_modes":["form_post"]}`,
  "[]",
  "null",
  "{",
  "\xff"
]

const forms: ReadonlyArray<string> = [
  "grant_type=authorization_code&code=x&client_id=y&code_verifier=z",
  "grant_type=refresh_token&refresh_token=%00&client_id=%00",
  "grant_type=refresh_token&refresh_token=x&client_id=\0",
  "grant_type=refresh_token&refresh_token=%ED%A0%80&client_id=%ED%A0%80",
  "grant_type=a&grant_type=b",
  "grant_type[]=a&grant_type[__proto__]=b&__proto__[a]=b",
  "client_id=https%3A%2F%2F169.254.169.254%2F&grant_type=authorization_code&code=x",
  "client_id=https%3A%2F%2F%5B&grant_type=refresh_token&refresh_token=x",
  `token=${"t".repeat(50_000)}&client_id=y`,
  "token=x&token_type_hint=%00",
  `${"a=b&".repeat(5000)}`,
  "%",
  "&&&===",
  "\xff\xfe",
  ""
]

const asked: ReadonlyArray<string> = [
  "client_id=%00&response_type=code",
  "client_id=x&response_type=code&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fcallback&state=%00",
  "client_id=https%3A%2F%2F127.0.0.1%2Fclient&response_type=code",
  "client_id=x&client_id=y&response_type=code",
  "request=eyJhbGciOiJub25lIn0.e30.&client_id=x",
  "client_id[]=x&__proto__[a]=b",
  "claims=%7B%22a%22%3A1e400%7D&client_id=x",
  "%ff%fe=%c3",
  ""
]

const accept = "Accept: application/json, text/event-stream"
const post = (path: string, type: string, bodies: ReadonlyArray<string>, ...headers: ReadonlyArray<string>): Door => ({
  method: "POST",
  path,
  type,
  headers,
  bodies
})

const mcp = [
  post("/mcp", json, messages, accept),
  post(
    "/mcp",
    json,
    messages,
    accept,
    "MCP-Protocol-Version: 2026-07-28",
    "MCP-Method: tools/call",
    "MCP-Name: get_job"
  ),
  post("/mcp", json, messages, accept, "MCP-Protocol-Version: 2025-11-25", "Mcp-Session-Id: nonsense")
]

const get = (path: string): Door => ({ method: "GET", path, type: form, headers: [], bodies: [""] })

/** Where the provider's routes are or would be, beside those that have bodies of their own here. */
const routes = [
  "/oauth/authorize/anything",
  "/oauth/sign-in/anything",
  "/oauth/register/anything",
  "/oauth/userinfo",
  "/oauth/jwks",
  "/me",
  "/token/introspection",
  "/session/end",
  "/session/end/confirm",
  "/request",
  "/device",
  "/device/auth",
  "/backchannel",
  "/challenge",
  "/credential",
  "/interaction/anything"
]

/** The ways in for a client that is registered, by how often each is knocked at. */
export const doorsOf = (client_id: string): ReadonlyArray<ReadonlyArray<Door>> => [
  mcp,
  mcp,
  [post("/oauth/register", json, clients)],
  [
    post("/oauth/token", form, forms),
    post("/oauth/revoke", form, forms),
    post("/oauth/sign-in/x", form, forms, "Cookie: footnote_sign_in=x; footnote_sign_in.sig=y")
  ],
  [
    ...asked.map((query) => get(`/oauth/authorize?${query}`)),
    ...asked.map((query) => get(`/oauth/authorize?client_id=${client_id}&${query}`))
  ],
  routes.flatMap((path) => [
    get(`${path}?client_id=${client_id}`),
    post(path, form, forms.map((fields) => `client_id=${client_id}&${fields}`))
  ])
]
