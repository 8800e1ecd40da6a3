import * as fc from "fast-check"
import assert from "node:assert/strict"
import { describe, test } from "vitest"
import { isLocal, policySource, redirectProblem } from "../../src/oauth/RedirectUri.ts"

describe("an address to come back to", () => {
  test.each([
    ["https://app.example/callback", "https://app.example", false],
    ["https://app.example:8443/a;b,c*d'e?f=g", "https://app.example:8443", false],
    ["https://claude.ai/api/mcp/auth_callback", "https://claude.ai", false],
    ["https://[2001:db8::1]/cb", "https://[2001:db8::1]", false],
    ["http://127.0.0.1:33418/", "http://127.0.0.1:33418", true],
    ["http://localhost/callback", "http://localhost", true],
    ["http://[::1]:9/callback", "http://[::1]:9", true],
    ["com.example.app:/oauth", "com.example.app:", true],
    ["com.example.app://host.name/oauth", "com.example.app:", true],
    ["cursor://anysphere.cursor-mcp/oauth/callback", "cursor:", true],
    ["vscode://vscode.github-authentication/did-authenticate", "vscode:", true],
    ["vscode-insiders://publisher.extension/cb", "vscode-insiders:", true]
  ])("may be %s", (uri, source, local) => {
    assert.equal(redirectProblem(uri), undefined)
    assert.equal(policySource(URL.parse(uri)!), source)
    assert.equal(isLocal(URL.parse(uri)!), local)
  })

  test.each([
    "https://a;script-src/cb",
    "https://*/cb",
    "https://*.example/cb",
    "https://a,b/cb",
    "https://a'b/cb",
    "https://a b/cb",
    "https://a\t/cb",
    " https://app.example/cb",
    "https://app.example\\@evil.example/cb",
    "https://user:pass@app.example/cb",
    "https://user@app.example/cb",
    "https://@app.example/cb",
    "com.example.app://user@host/cb",
    "com.example.app://a;b/cb",
    "https://app.example/cb#",
    "https://bücher.example/cb",
    "https://app.example/\u202Ecb",
    "http://app.example/cb",
    "http://localhost.example/cb",
    "mailto:a@b.example",
    "tel:1",
    "view-source:https://a.example/",
    "chrome://settings",
    "ms-settings:",
    "ftp://a.example/",
    "ws://a.example/",
    "wss://a.example/",
    "x:",
    "x://cb",
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "about:blank",
    "blob:https://a.example/x",
    "vbscript:x",
    "intent://a.example/#Intent;end",
    "x",
    "//app.example/cb",
    "",
    5,
    null,
    {}
  ])("is never %s", (uri) => assert.notEqual(redirectProblem(uri), undefined))

  test("puts no more than one name into a policy, whatever it is", () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.string({ unit: "binary" }).map((host) => `https://${host}/cb`)), (uri) => {
        if (redirectProblem(uri) === undefined) {
          assert.match(policySource(URL.parse(uri)!) ?? "", /^https?:\/\/[a-z0-9.:[\]-]+$/u)
        }
      })
    )
  })
})
