import type { RankModel } from "./Rank.ts"

// Written by tools/fit-ranker.ts. Data: SHA-256 cc5a5f6b34c1a4cec0e1839d005f1bdc4ff997367b5f01a0d4594981a02814bb over
// sgd_train.jsonl, sgd.jsonl and videos.jsonl, one after the other. By cross-validation the ranker alone has F1 0.822 and a
// calibration error of 0.047 on dialogues that were left out, and F1 0.809 on services that were left out; without capitals
// and punctuation F1 0.777 and 0.768.

// oxlint-disable oxc/approx-constant -- a fitted constant may lie near a famous one

/** The fitted constants of the ranker, in the order of `FEATURES` and of `COMPARISONS`. */
export const RANK_MODEL: RankModel = {
  threshold: 0.38,
  weights: [
    -1.579, // bias
    0.609, // kind_prior
    0.156, // context_here
    0.097, // context_before
    0.307, // context_in_question_before
    0.793, // nearest_term
    0.532, // direction_cue
    -1.217, // opposite_cue
    0.141, // label_overlap
    0.273, // said_by_two
    0.136, // frequency
    -0.161, // position
    -0.162, // last_mention
    -0.586, // competing_field
    0.507, // length
    0.395, // counted_noun
    -0.032, // negated
    -0.211, // opens_passage
    -0.835, // is_answer
    0.927, // enum_length
    1.076, // is_enum
    0.673, // is_boolean
    0.469, // is_number
    -0.174, // after_question
    -0.183, // first_mention
    1.107, // date_prior
    0.946, // time_prior
    -0.564, // name_prior
    0.056, // in_question
    -2.151, // is_phrase
    0.182, // phrase_counted
    -0.066, // is_named
    0.413, // is_plain_number
    0.032, // recap
    -0.03, // correction
    -0.058, // corrected_after
    0.726, // name_type_fits
    -0.707, // name_type_differs
    0.138, // place_fits
    -0.108, // last_position
    0.333, // unit_fits
    -0.276, // unit_differs
    0.05, // introduces_self
    0.056, // apposition
    0.087, // welcome
    0.014, // year
    0.091, // screen_title
    0.141, // label_hit
    -0.228, // counts_other
    -0.07, // whole_run
    1.422, // known_value
    -0.74, // known_otherwise
    0.626, // known_phrase
    -0.452, // facility_for_city
    0.684, // facility_wanted
    0.391, // first_name_wanted
    -0.041, // first_name_unwanted
    0.147, // replaces
    -0.398, // replaced
    -0.619, // outdated
    -0.429, // outdated_name
    0.311, // in_last_recap
    -0.254, // left_out_of_last_recap
    -0.244, // left_out_name
    0.022, // taken
    -0.508, // declined
    0.685, // taken_somewhere
    0.14, // taken_back_at_last
    -0.308 // one_of_a_choice
  ],
  comparison: [
    -0.678, // bias
    0.832, // own
    0.894, // ahead_of_other_values
    0.344, // ahead_of_other_leaves
    0.114, // boolean
    -0.988 // mentions
  ]
}

/** The same for speech that is written without capitals. */
export const UNCASED_RANK_MODEL: RankModel = {
  threshold: 0.38,
  weights: [
    -1.493, // bias
    0.211, // kind_prior
    0.089, // context_here
    0.214, // context_before
    0.029, // context_in_question_before
    0.738, // nearest_term
    0.574, // direction_cue
    -0.792, // opposite_cue
    0.108, // label_overlap
    0.174, // said_by_two
    -0.018, // frequency
    -0.099, // position
    -0.145, // last_mention
    -0.662, // competing_field
    1.386, // length
    0.356, // counted_noun
    0.006, // negated
    0.081, // opens_passage
    -0.012, // is_answer
    0.847, // enum_length
    1.03, // is_enum
    0.478, // is_boolean
    0.585, // is_number
    0.018, // after_question
    -0.12, // first_mention
    1.066, // date_prior
    0.852, // time_prior
    -1.616, // name_prior
    -0.007, // in_question
    -1.81, // is_phrase
    0.081, // phrase_counted
    -0.012, // is_named
    0.638, // is_plain_number
    0.143, // recap
    0.09, // correction
    -0.016, // corrected_after
    0.92, // name_type_fits
    -0.301, // name_type_differs
    0.262, // place_fits
    -0.127, // last_position
    0.274, // unit_fits
    -0.173, // unit_differs
    0, // introduces_self
    0, // apposition
    0.042, // welcome
    0.01, // year
    0.055, // screen_title
    0.108, // label_hit
    -0.048, // counts_other
    0.266, // whole_run
    1.891, // known_value
    -0.409, // known_otherwise
    0.354, // known_phrase
    -0.302, // facility_for_city
    0.639, // facility_wanted
    0.493, // first_name_wanted
    0.089, // first_name_unwanted
    0.005, // replaces
    -0.137, // replaced
    -0.446, // outdated
    -0.215, // outdated_name
    0.384, // in_last_recap
    -0.091, // left_out_of_last_recap
    -0.183, // left_out_name
    0.007, // taken
    -0.372, // declined
    0.618, // taken_somewhere
    0.317, // taken_back_at_last
    0 // one_of_a_choice
  ],
  comparison: [
    -0.705, // bias
    0.86, // own
    0.855, // ahead_of_other_values
    0.249, // ahead_of_other_leaves
    -0.078, // boolean
    -0.707 // mentions
  ]
}
