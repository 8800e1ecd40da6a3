/**
 * Words by which a speaker takes back what was said right before them, as the source of a regular expression without groups to
 * capture, to be matched whatever the case.
 */
export const CORRECTION = String
  .raw`(?:(?:oh|no|wait|uh|um|er),?\s+)*(?:sorry|i mean(?:t)?|make that|correction|no,? wait|wait,? no|scratch that|i should say|or rather|h(?:ang|old) on(?:,? let me \p{L}+ (?:that|it) again)?|let me \p{L}+ (?:that|it) again|i tell a lie|(?:to )?be honest)`
