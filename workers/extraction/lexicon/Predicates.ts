/** What a yes-or-no field may say of a thing, in the words by which English says it and by which it says the opposite. */
export interface Predicate {
  /** The words of a field's name that ask for it. */
  readonly name: RegExp
  readonly yes: RegExp
  readonly no: RegExp
  /** Whether a thing that is there has it: a car park that there is can be parked in. */
  readonly given?: true
}

/** The first whose name fits is a field's. */
const PREDICATES: ReadonlyArray<Predicate> = [
  {
    name: /\b(?:includ(?:ed|es?)|inclusive|provided|supplied|in (?:the )?(?:box|price|rent))\b/u,
    yes:
      /\b(?:includ(?:ed|es?|ing)|inclusive|all[- ]in|comes? with|provid(?:ed|es?)|suppl(?:y|ies|ied)|thrown in|throw in|complimentary|in the (?:box|price|rent)|part of the (?:price|package|deal|rent)|as standard)\b/giu,
    no:
      /\b(?:extra|separate(?:ly)?|own expense|own cost|on (?:your|their|our|my|his|her) own|additional|surcharge|optional|exclud(?:ed|es?|ing)|exclusive of|bring (?:your|their) own|skip(?:s|ped|ping)?|leav(?:e|ing) out|left out|on top)\b/giu
  },
  {
    name: /\b(?:required|requires?|needed|needs?|mandatory|compulsory|obligatory|necessary)\b/u,
    yes:
      /\b(?:need(?:s|ed)?|requir(?:ed|es?)|must|ha(?:ve|s|d) to|mandatory|compulsory|obligatory|essential|necessary|for everyone|no exceptions)\b/giu,
    no:
      /\b(?:optional|voluntary|unnecessary|avoid(?:s|ed|ing)?|can (?:skip|do without|manage without|leave out)|up to you|if you (?:like|want|wish))\b/giu
  },
  {
    name: /\b(?:allowed|allows?|permitted|permits?|welcome|friendly|possible)\b/u,
    yes:
      /\b(?:allow(?:ed|s)?|permit(?:ted|s)?|welcome|friendly|possible|fine|okay|ok|no problem|(?:you|guests?|visitors?|tenants?|customers?|people|anyone|everyone|they) (?:can|may)(?!['’]t)\b|free to|don['’]t mind|bring (?:your|their|a|the))/giu,
    no:
      /\b(?:forbidden|banned|prohibited|off[- ]limits|impossible|unwelcome|refused?|(?:leave|keep|stay) (?:\p{L}+ ){0,3}(?:at home|out|outside|off|away)|(?:adults|members|staff|residents) only)\b/giu
  },
  {
    name: /\b(?:accepted|accepts?|taken)\b/u,
    yes: /\b(?:accept(?:s|ed)?|tak(?:e|es|ing)|took|do|pay (?:by|with|in)|fine|okay|ok|no problem)\b/giu,
    no: /\b(?:refused?|turn(?:ed)? (?:away|down)|no longer|no (?:more|good))\b/giu
  },
  {
    name: /\bserved\b/u,
    yes: /\b(?:serv(?:e|es|ed|ing)|provid(?:e|es|ed)|get)\b/giu,
    no: /\b(?:bring (?:your|their) own|no longer)\b/giu,
    given: true
  },
  {
    name: /\b(?:safe|proof|compatible|suitable)\b/u,
    yes: /\b(?:safe|proof|compatible|suitable|fine|okay|ok|can go)\b/giu,
    no:
      /\b(?:unsafe|unsuitable|(?:must|should|do|can)(?:n['’]t|\s?not) (?:be )?(?:put|go|use)\b|ruin(?:s|ed)?|destroy(?:s|ed)?|damage[sd]?)\b/giu
  },
  {
    name: /\bvalid\b/u,
    yes: /\b(?:valid|in force|good (?:until|till|for)|(?:runs?|lasts?) (?:until|till|to))\b/giu,
    no: /\b(?:expired?|ran out|run out|lapsed|invalid|void|out of date|is over|ended)\b/giu
  },
  {
    name: /\bin stock\b/u,
    yes: /\b(?:in stock|on the shelf|left)\b/giu,
    no: /\b(?:out of stock|sold out|(?:ran|run|running) out|back[- ]?order(?:ed)?)\b/giu
  },
  {
    name: /\bup to date\b/u,
    yes: /\b(?:up[- ]to[- ]date|current)\b/giu,
    no: /\b(?:out of date|outdated|behind|old|stale)\b/giu
  },
  {
    name: /\b(?:working|works|ok|okay|functional|functioning|operational|intact)\b/u,
    yes:
      /\b(?:work(?:s|ing|ed)?|fine|okay|ok|all right|alright|sound|functional|in order|intact|running|pass(?:es|ed)?)\b/giu,
    no: /\b(?:broken|out of order|dead|faulty|defective|fail(?:s|ed|ing)?|broke|stuck|damaged)\b/giu
  },
  {
    name: /\bavailable\b|\boffer(?:s|ed)\b/u,
    yes: /\b(?:available|on offer|to be had|offer(?:s|ed|ing)?)\b/giu,
    no:
      /\b(?:unavailable|sold out|out of stock|booked (?:out|up)|fully booked|gone|discontinued|look for|find something|away|on (?:leave|holiday|vacation))\b/giu,
    given: true
  },
  {
    name: /\bfree\b/u,
    yes: /\b(?:free|complimentary|no (?:charge|fee|cost)|for nothing|without charge)\b/giu,
    no: /\b(?:paid|charged?|costs?|fees?|pay)\b/giu
  },
  {
    name: /\bopen\b/u,
    yes: /\bopen(?:s|ed)?\b/giu,
    no: /\b(?:closed?|shut|locked|boarded up)\b/giu
  },
  {
    name: /\bused\b/u,
    yes: /\b(?:us(?:e|es|ed|ing)|took|takes?|taken|flew|sent|brought|deployed)\b/giu,
    no: /\b(?:on standby|unused|stayed (?:at home|behind|on the ground))\b/giu
  },
  {
    name: /\b(?:wanted|wants?|desired)\b/u,
    yes:
      /\b(?:want(?:s|ed)?|(?:would|['’]d) (?:like|love)|(?:will|['’]ll) (?:have|take)|prefer(?:s|red)?|ask(?:s|ed) for)\b/giu,
    no: /\b(?:skip|leave out|pass on)\b/giu
  },
  {
    name: /\b(?:planned|plans|scheduled|expected)\b/u,
    yes: /\b(?:plan(?:s|ned|ning)?|scheduled|expect(?:s|ed)?|going to|will|there['’]s|there is|due)\b/giu,
    no: /\b(?:cancelled|called off|dropped|scrapped)\b/giu
  },
  {
    name: /\b(?:recommended|recommends?|advised|advises?)\b/u,
    yes: /\b(?:recommend(?:s|ed)?|advis(?:e|es|ed)|suggest(?:s|ed)?|worth)\b/giu,
    no: /\b(?:stay away|steer clear|avoid|advis(?:e|es|ed) against|keep away|warn(?:s|ed)? against)\b/giu
  }
]

/** The predicate that the words of a field's name ask for. */
export const predicateIn = (words: string): Predicate | undefined => PREDICATES.find(({ name }) => name.test(words))

/** Words of a place or measure against which a field asks on which side of it something is, and the other sides. */
export const SIDES: ReadonlyMap<string, string> = new Map([
  ["over", "under|within|inside|below"],
  ["under", "over|above|beyond"],
  ["within", "over|above|beyond|outside"],
  ["above", "under|below"],
  ["below", "over|above"],
  ["in", "out of|outside|off"],
  ["on", "off"],
  ["off", "on"],
  ["ahead of", "behind"],
  ["behind", "ahead of|on|before"]
])
