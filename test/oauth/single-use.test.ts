import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { rounds } from "../support/Breadth.ts"
import { begin, redirect_uri, signIn, token } from "../support/SignIn.ts"
import * as Server from "../support/TestServer.ts"
import { request } from "../support/ToolClient.ts"

const { TestServer } = Server

const many = rounds(30)

type Answered = Awaited<ReturnType<typeof token>>

layer(Server.layer, { excludeTestServices: true })("POST /oauth/token of two API processes at one moment", (it) => {
  const arrange = Effect.gen(function*() {
    const first = yield* TestServer
    const { key } = yield* first.tenant("single use")
    const second = yield* Server.replica({ FOOTNOTE_PUBLIC_URL: first.base_url })
    return { first, second, key }
  })

  /** What a sign-in leads to, without what counts by address. */
  const granted = Effect.fnUntraced(function*({ first, key }: Effect.Success<typeof arrange>) {
    yield* first.sql("DELETE FROM footnote.rate_limits")
    return yield* Effect.promise(() => signIn(first.base_url, key))
  })

  /** As far as a code that nobody has exchanged. */
  const coded = Effect.fnUntraced(function*({ first, key }: Effect.Success<typeof arrange>) {
    yield* first.sql("DELETE FROM footnote.rate_limits")
    return yield* Effect.promise(async () => {
      const { at, browser, client_id, verifier } = await begin(first.base_url)
      const allowed = await browser.submit(at, { api_key: key, decision: "allow" })
      const code = allowed.at.searchParams.get("code") ?? ""
      return { grant_type: "authorization_code", code, code_verifier: verifier, client_id, redirect_uri }
    })
  })

  const atOnce = (
    { first, second }: Effect.Success<typeof arrange>,
    times: number,
    fields: Readonly<Record<string, string>>
  ) =>
    Effect.promise(() =>
      Promise.all(
        Array.from({ length: times }, (_, at) => token((at % 2 === 0 ? first : second).base_url, fields))
      )
    )

  /** At most one of the answers let anybody in, and nothing of them does any longer. */
  const assertEnded = Effect.fnUntraced(function*(
    { first, second }: Effect.Success<typeof arrange>,
    client_id: string,
    answers: ReadonlyArray<Answered>,
    issued: ReadonlyArray<{ readonly access_token: string; readonly refresh_token: string }>
  ) {
    const succeeded = answers.filter(({ status }) => status === 200)
    assert.isAtMost(succeeded.length, 1)
    for (const { json, status } of answers) {
      if (status !== 200) assert.deepInclude({ status, error: json.error }, { status: 400, error: "invalid_grant" })
    }
    for (const { access_token, refresh_token } of [...issued, ...succeeded.map(({ json }) => json)]) {
      for (const server of [first, second]) {
        const listed = yield* Effect.provideService(request(access_token, "tools/list"), TestServer, server)
        assert.strictEqual(listed.status, 401)
      }
      const again = yield* Effect.promise(() =>
        token(first.base_url, { grant_type: "refresh_token", client_id, refresh_token })
      )
      assert.strictEqual(again.json.error, "invalid_grant")
    }
    return succeeded.length
  })

  for (const times of [2, 12]) {
    it.effect(
      `a refresh token sent ${times} times leads to one line at most, and to none that is left`,
      () =>
        Effect.gen(function*() {
          const scene = yield* arrange
          for (let round = 0; round < many; round++) {
            const { access_token, client_id, refresh_token } = yield* granted(scene)
            const answers = yield* atOnce(scene, times, { grant_type: "refresh_token", client_id, refresh_token })
            yield* assertEnded(scene, client_id, answers, [{ access_token, refresh_token }])
          }
        }),
      120_000
    )

    it.effect(
      `a code sent ${times} times leads to one line at most, and to none that is left`,
      () =>
        Effect.gen(function*() {
          const scene = yield* arrange
          for (let round = 0; round < many; round++) {
            const fields = yield* coded(scene)
            yield* assertEnded(scene, fields.client_id, yield* atOnce(scene, times, fields), [])
          }
        }),
      120_000
    )
  }

  it.effect("an access token that was written after its grant ended lets nobody in", () =>
    Effect.gen(function*() {
      const scene = yield* arrange
      const { access_token } = yield* granted(scene)
      const listed = Effect.map(request(access_token, "tools/list"), ({ status }) => status)
      assert.strictEqual(yield* listed, 200)
      yield* scene.first.sql(`DELETE FROM footnote.oauth_entries WHERE model = 'Grant'`)
      assert.strictEqual(yield* listed, 401)
    }))
})
