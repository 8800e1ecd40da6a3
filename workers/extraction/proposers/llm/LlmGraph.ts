import type { Draft } from "../../grounding/Draft.ts"
import { type Plan, planOf } from "../../text/Plan.ts"
import type { Passage } from "../../text/SourceDocument.ts"
import { GRAPH_RELATIONS, type GraphStatements, NAMED_TYPES } from "../GraphStatements.ts"
import { modelGate } from "../ModelGate.ts"
import type { ProposerTask } from "../Proposer.ts"
import { type Judged, judgeDrafts, objection } from "./LlmJudge.ts"
import { partsOf, unitsOf } from "./LlmParts.ts"
import type { Questions, Said } from "./LlmQuestions.ts"

const name = { type: "string" }

/** What the graph asks for, as a form like any caller's, so that it comes by the same questions and the same gate. */
const GRAPH_FORM = {
  type: "object",
  properties: {
    names: {
      type: "array",
      description: "People, organisations, places, products, events and works that are called by a name of their own",
      items: {
        type: "object",
        properties: {
          name: { ...name, description: "The name as the line has it" },
          type: { type: "string", enum: NAMED_TYPES, description: "What it is the name of" },
          also_called: {
            ...name,
            description:
              "Another name of the very same thing, quoted from a line that has both names and says that they are one"
          }
        }
      }
    },
    relations: {
      type: "array",
      description:
        "How two of them hang together, as one line says it. works_for: a person an organisation. role_of: a job title a person. price_of: an amount a thing. part_of: a thing, unit or place a larger one. located_in: a thing or organisation a place. happened_at: an event a day",
      items: {
        type: "object",
        properties: {
          subject: { ...name, description: "The first of the two, in the words of the line" },
          relation: {
            type: "string",
            enum: GRAPH_RELATIONS,
            description: "What the line says that the first is to the second"
          },
          object: { ...name, description: "The second of the two, in the words of the line" }
        }
      }
    }
  }
}

const plan: Plan = planOf(GRAPH_FORM)
export const GRAPH_PROMPT = JSON.stringify(GRAPH_FORM)
/** What is said of the form's lists. */
export const GRAPH_ABOUT = plan.about

/** A name in the source's own words: what a model words itself names nothing there. */
const isQuoted = ({ grade, leaf }: Draft): boolean => leaf.type === "enum" || grade === undefined

/** Entries by the key that the model gave them. */
const entriesOf = (drafts: ReadonlyArray<Draft>, list: string): ReadonlyArray<ReadonlyMap<string, Draft>> =>
  Array.from(
    Map.groupBy(
      drafts.filter(({ pointer_template }) => pointer_template.startsWith(`${list}/*/`)),
      (one) => one.item_key
    )
      .values(),
    (some) => new Map(some.map((one) => [one.leaf.name, one]))
  )

/** What a judge is asked of an entry: its statement as a whole, on the words of the part that says it. */
const statementOf = (draft: Draft, ...words: ReadonlyArray<unknown>): Draft => ({ ...draft, value: words.join(" ") })

/**
 * Asks a model for names and relations of a source, as a further form over the same lines. What the gate does not take, and what
 * the judge objects to where there is one, is dropped; what a statement is worth is proven when the graph is built.
 */
export const askGraph = async (
  task: ProposerTask,
  questions: Questions,
  asking: {
    readonly passages: ReadonlyArray<Passage>
    readonly chunk_tokens: number
    readonly concurrency: number
    readonly judges: boolean
    readonly judge_tokens: number
    readonly toDrafts: (said: ReadonlyArray<Said>, gate: ReturnType<typeof modelGate>) => ReadonlyArray<Draft>
  }
): Promise<GraphStatements> => {
  const form = { ...task, plan }
  const { said } = await questions.askAll(
    partsOf(unitsOf(plan), asking.passages, asking.chunk_tokens),
    asking.concurrency
  )
  const drafts = asking.toDrafts(said, modelGate(form)).filter(isQuoted)
  const names = entriesOf(drafts, "/names").flatMap((entry) => {
    const [own, type, also] = [entry.get("name"), entry.get("type"), entry.get("also_called")]
    return own === undefined ? [] : [{ own, type, also }]
  })
  const relations = entriesOf(drafts, "/relations").flatMap((entry) => {
    const [subject, relation, object] = [entry.get("subject"), entry.get("relation"), entry.get("object")]
    return subject === undefined || relation === undefined || object === undefined
      ? []
      : [{ subject, relation, object }]
  })
  const alias = new Map(
    names.flatMap(({ also, own }) =>
      also === undefined ? [] : [[also, statementOf(also, own.value, "is also called", also.value)]]
    )
  )
  const related = new Map(
    relations.map(({ object, relation, subject }) => [
      relation,
      statementOf(relation, subject.value, relation.value, object.value)
    ])
  )
  const verdicts: ReadonlyMap<Draft, Judged> = asking.judges
    ? await judgeDrafts(form, [...alias.values(), ...related.values()], asking.judge_tokens, questions.call)
    : new Map()
  const stands = (statement: Draft | undefined): boolean => {
    const judged = statement === undefined ? undefined : verdicts.get(statement)
    return judged === undefined || objection(judged) === undefined
  }
  return {
    names: names.map(({ also, own, type }) => ({
      name: own.span,
      type: typeof type?.value === "string" ? type.value : null,
      also_called: also !== undefined && stands(alias.get(also)) ? also.span : null
    })),
    relations: relations.filter(({ relation }) => stands(related.get(relation))).map((
      { object, relation, subject }
    ) => ({
      subject: subject.span,
      relation: String(relation.value),
      object: object.span,
      where: relation.span
    }))
  }
}
