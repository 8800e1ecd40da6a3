import { describe, expect, it } from "vitest"
import { currencyFields } from "../../../../workers/extraction/proposers/Currencies.ts"
import { leafOf } from "../../../../workers/extraction/text/Plan.ts"
import { materialOf } from "../Footage.ts"

const told = (said: string, schema: object = { type: "string" }, name = "currency") =>
  currencyFields(materialOf([[0, "S1", said]]), [leafOf(`/${name}`, name, schema as never)])
    .map(({ candidate: { text }, value }) => [value, text])

const rules = (said: string) =>
  currencyFields(materialOf([[0, "S1", said]]), [leafOf("/currency", "currency", { type: "string" } as never)])
    .map(({ rule }) => rule)

describe("a field that asks for the currency", () => {
  it("has the code of what the sums are of, by the word or the sign that says it", () => {
    expect(told("So I paid one hundred and fifty-nine euros for these.")).toEqual([["EUR", "euros"]])
    expect(told("It is £20, with two pounds of tea, or ten euros.")).toEqual([["GBP", "£"]])
    expect(told("That is forty dollars.", { type: "string" }, "currency_code")).toEqual([["USD", "dollars"]])
  })

  it("has the one currency that is named without a sum, by its own name", () => {
    expect(told("All prices are in euros, per bottle.")).toEqual([["EUR", "euros"]])
    expect(told("It was forty-one thousand US dollars.")).toEqual([["USD", "US dollars"]])
    expect(told("In francs, or in euros.")).toEqual([])
    expect(told("It lost two stone and some pounds.")).toEqual([])
  })

  it("is told by a rule of its own only where nothing says another currency", () => {
    expect(rules("That is forty dollars, and ten dollars for the post.")).toEqual(["only-currency"])
    expect(rules("That is forty dollars, ten dollars for the post, or nine euros.")).toEqual(["said-plainly"])
  })

  it("has the label that the schema has for it", () => {
    expect(told("That is forty dollars.", { enum: ["euro", "dollar"] })).toEqual([["dollar", "dollars"]])
    expect(told("That is forty dollars.", { enum: ["EUR", "USD"] })).toEqual([["USD", "dollars"]])
    expect(told("That is forty dollars.", { enum: ["EUR", "CHF"] })).toEqual([])
  })

  it("stays open where two are as frequent, none is said, or only cents are", () => {
    expect(told("That is forty dollars or thirty-eight euros.")).toEqual([])
    expect(told("That is one forty.")).toEqual([])
    expect(told("It costs ninety cents.")).toEqual([])
    expect(told("That is forty dollars.", { type: "string" }, "price")).toEqual([])
  })
})
