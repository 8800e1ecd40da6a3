/** How a sentence speaks of what it says; each in the way that English speakers most often do. */

/** Of a time that is over: "it used to be", "last year". */
export const former =
  /\b(?:used to|last (?:year|time|week|month|season)|originally|previous(?:ly)?|formerly|at first|the old|old(?:er)? (?:one|price|value|figure)|had been|before that|back then|was (?:going|meant|supposed)|until (?:now|last)|no longer|any ?more)\b/iu

/** Of what is only supposed or estimated: "about", "if", "I think". */
export const unsure =
  /\b(?:if|maybe|perhaps|might|could|would|probably|about|around|roughly|i think|i guess|supposed|estimate[ds]?|or so|hopefully|almost|nearly|say|imagine|unless|expected?|planned|aim(?:ing)?)\b/iu

/** Of what somebody else says: "he told me", "the brochure". */
export const reported =
  /\b(?:said|says|told|claims?|claimed|according|apparently|heard|reckons?|thinks|thought|rumou?rs?|read|advertised|poster|brochure|website|quoted?)\b/iu

/** Of what is settled: "confirmed", "that comes to". */
export const settled =
  /\b(?:final(?:ly)?|confirmed|agreed|settled|correct|exactly|precisely|in fact|it is|it's|that's|so that|comes to|makes|is now|write (?:it|that) down)\b/iu

/** It takes back what was said before: "no, sorry", "make that". */
export const corrects =
  /\b(?:no|nope|nah|actually|sorry|wait|hang on|hold on|scratch that|correction|i mean|rather|make (?:that|it)|instead|not (?:the|a|an)?|wrong|mistake|misread|in fact|turns out|changed|moved|updated|revised|but now|these days)\b/iu

/** Words of a field that ask for what is worked out from several values. */
export const workedOut =
  /\b(?:total|sum|difference|minus|between|remaining|left over|change from|gap|average|mean|net|combined|overall|altogether|still owed|to lose|count|number of|how many|added|plus)\b/u
