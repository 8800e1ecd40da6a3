import { columns, type RankModel } from "./Rank.ts"

// Written by tools/fit-ranker.ts. Data: SHA-256 0b339989011f233471ef0f0d2595f94e3e7546494f695caa6a3ce0430dc9673f over
// sgd_train.jsonl, sgd.jsonl, videos.jsonl and the footage's dev.jsonl, one after the other. By cross-validation the ranker alone
// has F1 0.84 and a calibration error of 0.044 on dialogues that were left out, and F1 0.827 on services that
// were left out; without capitals and punctuation F1 0.79 and 0.777.

// oxlint-disable oxc/approx-constant -- a fitted constant may lie near a famous one

/**
 * The fitted constants of the ranker: rows in the order of `FEATURES`, columns in that of `LEAF_GROUPS`; then in the order of
 * `COMPARISONS`. For footage of every kind.
 */
export const RANK_MODEL: RankModel = {
  threshold: 0.38,
  weights: columns([
    [-2.747, 0.005, -0.291, -0.046], // bias
    [2.613, -0.462, -0.138, -0.029], // kind_prior
    [0.218, 0.831, -1.078, -0.046], // context_here
    [0.173, 0.206, -0.421, -0.663], // context_before
    [0.148, 0.954, 0.216, 2.157], // context_in_question_before
    [1.934, 0.254, 1.62, 1.094], // nearest_term
    [1.45, -0.523, -1.449, 0], // direction_cue
    [-2.776, 0, 0, 0], // opposite_cue
    [0.989, -0.335, 0, 0], // label_overlap
    [0.372, 0.242, 0, 0], // said_by_two
    [-0.591, -1.644, -0.052, -0.012], // frequency
    [-0.276, -0.714, 1.207, -0.305], // position
    [0.24, -0.508, -0.202, -0.038], // last_mention
    [-0.861, -0.738, 0, 0], // competing_field
    [1.995, 0.978, 1.961, 0.348], // length
    [0.023, 0.056, -0.755, -0.251], // counted_noun
    [-1.351, 0.526, -1.96, 0.926], // negated
    [-0.467, -0.35, 0.836, -2.96], // opens_passage
    [-2.194, 0, 0, 0], // is_answer
    [0, 0, 2.879, 0], // enum_length
    [0, 0, -0.202, 0], // is_enum
    [0, 0, 0, -0.038], // is_boolean
    [0, 0.007, 0, 0], // is_number
    [0.016, -0.358, 1.389, 2.764], // after_question
    [-0.348, -0.275, -0.202, -0.038], // first_mention
    [0.941, 0, 0, 0], // date_prior
    [1.714, 0, 0, 0], // time_prior
    [-1.152, 0, 0, 0], // name_prior
    [0.081, -0.89, 1.572, -1.083], // in_question
    [-3.593, 0, 0, 0], // is_phrase
    [-0.089, 0, 0, 0], // phrase_counted
    [-0.28, 0, 0, 0], // is_named
    [-0.771, 0.532, 0, 0], // is_plain_number
    [0.829, 1.902, 0.403, 0.547], // recap
    [-0.204, -0.421, 0.595, 0.934], // correction
    [-1.126, 0.328, -0.531, -2.065], // corrected_after
    [1.085, 0, 0, 0], // name_type_fits
    [-0.933, 0, 0, 0], // name_type_differs
    [0.639, 0, 0, 0], // place_fits
    [-0.486, 0.023, 1.207, -0.305], // last_position
    [0, 0.475, 0, 0], // unit_fits
    [0, 1.642, 0, 0], // unit_differs
    [0.602, 0, 0, 0], // introduces_self
    [1.38, 0, 0, 0], // apposition
    [-0.317, 0, 0, 0], // welcome
    [0, 0.563, 0, 0], // year
    [0.585, 0, 0, 0], // screen_title
    [1.153, -0.333, 0, 0], // label_hit
    [0, -0.835, 0, 0], // bare_number
    [0, -1.293, 0, 0], // unwanted_unit
    [0, -0.631, 0, 0], // is_one
    [-1.96, 0, 0, 0], // opens_sentence
    [1.19, 0, 0, 0], // own_line
    [1.466, 0, 0, 0], // person
    [-0.32, 0, 0, 0], // unwanted_person
    [-1.163, 0, 0, 0], // no_person
    [0, -0.694, 0, 0], // counts_other
    [0.03, 0, 0, 0], // whole_run
    [2.988, 0, 0, 0], // known_value
    [-1.445, 0, 0, 0], // known_otherwise
    [1.718, 0, 0, 0], // known_phrase
    [-0.465, 0, 0, 0], // facility_for_city
    [3.134, 0, 0, 0], // facility_wanted
    [-0.068, 0, 0, 0], // first_name_wanted
    [-0.109, 0, 0, 0], // first_name_unwanted
    [0, -0.027, 0, 0], // ordinal
    [-0.735, 0.062, 0.813, 1.655], // named_here
    [-0.784, -0.649, -2.56, -3.058], // named_better_elsewhere
    [-0.215, -0.718, -1.358, 0.212], // other_field_named
    [0.171, 0.56, 0, 0], // only_of_unit
    [0.705, -0.112, 0, 0], // unit_elsewhere
    [0.846, 2.362, -0.348, -1.15], // near_own
    [-0.893, -2.571, -1.093, 1.063], // near_other
    [0.078, 0, 0, 0], // phrase_near_own
    [0.18, 0.022, 0.59, 0], // replaces
    [-0.316, -0.691, -0.085, 0], // replaced
    [-1.847, 0.002, -1.148, 0], // outdated
    [-0.605, 0, 0, 0], // outdated_name
    [0.083, -0.044, -1.641, 0.609], // in_last_recap
    [-1.051, -0.241, -2.465, 0], // left_out_of_last_recap
    [-0.166, 0, 0, 0], // left_out_name
    [-0.202, 0.662, 0.794, 1.264], // taken
    [-2.203, -1.183, -1.393, 0.001], // declined
    [0.3, 0.908, 0.917, 1.711], // taken_somewhere
    [0.738, -0.224, -3.663, -2.068], // taken_back_at_last
    [-1.752, 0, -1.749, 0] // one_of_a_choice
  ]),
  comparison: [
    -1.239, // bias
    0.422, // own
    0.668, // ahead_of_other_values
    0.251, // ahead_of_other_leaves
    -0.284, // boolean
    -0.111 // mentions
  ]
}

/** For two people who take turns, fitted on nothing else. */
export const CONVERSATION_RANK_MODEL: RankModel = {
  threshold: 0.38,
  weights: columns([
    [-4.599, 0.753, -0.166, 1.443], // bias
    [3.767, 0.371, -0.081, 0.643], // kind_prior
    [-0.183, -1.396, -0.694, -0.044], // context_here
    [0.511, 1.072, -0.666, 0.795], // context_before
    [-0.054, -0.649, 0.47, 0.642], // context_in_question_before
    [2.522, 4.791, 0.675, -0.562], // nearest_term
    [1.691, 0, 0, 0], // direction_cue
    [-3.259, 0, 0, 0], // opposite_cue
    [0, 0, 0, 0], // label_overlap
    [0.251, 0.928, 0, 0], // said_by_two
    [-0.675, -1.067, -0.03, 0.248], // frequency
    [0.531, -2.362, 2.724, -0.493], // position
    [-0.336, -0.439, -0.118, 0.951], // last_mention
    [-1.292, -0.027, 0, 0], // competing_field
    [1.716, 0.075, 1.027, 0.264], // length
    [0.013, 1.364, -0.564, -2.276], // counted_noun
    [-0.201, 0.922, 0.001, 0.514], // negated
    [-0.231, -0.718, 0.48, 0.105], // opens_passage
    [-1.271, 0, 0, 0], // is_answer
    [0, 0, 0.778, 0], // enum_length
    [0, 0, -0.118, 0], // is_enum
    [0, 0, 0, 0.951], // is_boolean
    [0, 0.371, 0, 0], // is_number
    [0.144, 0.984, 1.988, 0.787], // after_question
    [-0.317, -0.514, -0.118, 0.951], // first_mention
    [2.806, 0, 0, 0], // date_prior
    [2.571, 0, 0, 0], // time_prior
    [-0.764, 0, 0, 0], // name_prior
    [0.307, -0.461, 1.795, -2.958], // in_question
    [-3.754, 0, 0, 0], // is_phrase
    [0.44, 0, 0, 0], // phrase_counted
    [0.415, 0, 0, 0], // is_named
    [0.195, 0.371, 0, 0], // is_plain_number
    [0.663, 1.264, 0.435, 0.328], // recap
    [-0.294, 1.382, 0.251, 0], // correction
    [-1.179, -0.479, -0.378, 0.04], // corrected_after
    [1.199, 0, 0, 0], // name_type_fits
    [-1.124, 0, 0, 0], // name_type_differs
    [0.824, 0, 0, 0], // place_fits
    [-0.532, -1.52, 2.724, -0.493], // last_position
    [0, 1.783, 0, 0], // unit_fits
    [0, 0, 0, 0], // unit_differs
    [-0.464, 0, 0, 0], // introduces_self
    [0.679, 0, 0, 0], // apposition
    [0, 0, 0, 0], // welcome
    [0, 0, 0, 0], // year
    [0, 0, 0, 0], // screen_title
    [0, 0, 0, 0], // label_hit
    [0, 0, 0, 0], // bare_number
    [0, -1.1, 0, 0], // unwanted_unit
    [0, -0.782, 0, 0], // is_one
    [-0.957, 0, 0, 0], // opens_sentence
    [0, 0, 0, 0], // own_line
    [0.726, 0, 0, 0], // person
    [-0.272, 0, 0, 0], // unwanted_person
    [-1.493, 0, 0, 0], // no_person
    [0, -1.948, 0, 0], // counts_other
    [0.055, 0, 0, 0], // whole_run
    [3.173, 0, 0, 0], // known_value
    [-1.326, 0, 0, 0], // known_otherwise
    [2.296, 0, 0, 0], // known_phrase
    [-0.528, 0, 0, 0], // facility_for_city
    [3.305, 0, 0, 0], // facility_wanted
    [0.931, 0, 0, 0], // first_name_wanted
    [-0.04, 0, 0, 0], // first_name_unwanted
    [0, 0, 0, 0], // ordinal
    [-1.081, -1.854, 0.424, 0.789], // named_here
    [-0.246, -2.18, -1.997, -1.516], // named_better_elsewhere
    [-0.336, -2.454, -3.721, 0.048], // other_field_named
    [1.395, 0, 0, 0], // only_of_unit
    [0.334, 0, 0, 0], // unit_elsewhere
    [1.631, 2.366, -0.53, -1.446], // near_own
    [-0.978, -3.256, -0.019, 0.109], // near_other
    [-0.417, 0, 0, 0], // phrase_near_own
    [-0.037, 1.548, 0.247, 0], // replaces
    [-0.622, -0.157, -0.042, 0], // replaced
    [-1.611, -1.525, -1.166, 0], // outdated
    [-0.81, 0, 0, 0], // outdated_name
    [0.229, 1.242, -2.024, 0.378], // in_last_recap
    [-0.85, -0.036, -1.903, 0], // left_out_of_last_recap
    [0.242, 0, 0, 0], // left_out_name
    [-0.068, 1.841, 1.336, 1.126], // taken
    [-2.075, -1.853, -0.888, 0], // declined
    [0.324, 0.097, 0.999, 1.491], // taken_somewhere
    [0.853, 1.865, -4.088, 0], // taken_back_at_last
    [-1.637, 0, -1.516, 0] // one_of_a_choice
  ]),
  comparison: [
    -1.136, // bias
    0.402, // own
    0.743, // ahead_of_other_values
    0.331, // ahead_of_other_leaves
    0.01, // boolean
    -0.226 // mentions
  ]
}

/** For speech that is written without capitals. */
export const UNCASED_RANK_MODEL: RankModel = {
  threshold: 0.38,
  weights: columns([
    [-4.51, 0.153, 0.057, -0.23], // bias
    [3.821, -0.331, -0.023, -0.083], // kind_prior
    [0.154, 0.414, -2.35, 1.517], // context_here
    [0.413, 0.472, 0.32, 1.666], // context_before
    [0.693, 0, 0, 0], // context_in_question_before
    [2.715, 0.948, 2.601, 1.535], // nearest_term
    [1.204, -0.451, -1.326, 0], // direction_cue
    [-3.068, 0, 0, 0], // opposite_cue
    [1.168, -0.465, 0, 0], // label_overlap
    [0.534, 0.285, 0, 0], // said_by_two
    [-0.745, -1.752, -0.011, -0.028], // frequency
    [0.77, -0.617, 0.969, -0.594], // position
    [-0.394, -0.609, -0.01, -0.136], // last_mention
    [-0.938, -0.703, 0, 0], // competing_field
    [2.618, 0.909, 2.068, 1.868], // length
    [-0.198, 0.259, -1.232, -0.109], // counted_noun
    [-1.649, 0.277, -2.583, 0.227], // negated
    [0.192, -0.332, 1.435, -0.116], // opens_passage
    [-0.006, 0, 0, 0], // is_answer
    [0, 0, 2.586, 0], // enum_length
    [0, 0, -0.01, 0], // is_enum
    [0, 0, 0, -0.136], // is_boolean
    [0, 0.02, 0, 0], // is_number
    [0.523, 0, 0, 0], // after_question
    [-0.03, -0.249, -0.01, -0.136], // first_mention
    [1.178, 0, 0, 0], // date_prior
    [1.709, 0, 0, 0], // time_prior
    [-3.365, 0, 0, 0], // name_prior
    [-0.028, 0, 0, 0], // in_question
    [-3.72, 0, 0, 0], // is_phrase
    [0.631, 0, 0, 0], // phrase_counted
    [-0.368, 0, 0, 0], // is_named
    [-0.269, 0.332, 0, 0], // is_plain_number
    [0.995, 1.697, 0.419, 0.513], // recap
    [-0.08, -0.371, 0.682, 1.662], // correction
    [-0.41, -0.38, -1.352, -1.527], // corrected_after
    [1.721, 0, 0, 0], // name_type_fits
    [-0.314, 0, 0, 0], // name_type_differs
    [0.694, 0, 0, 0], // place_fits
    [-1.425, -0.069, 0.969, -0.594], // last_position
    [0, 0.616, 0, 0], // unit_fits
    [0, 1.712, 0, 0], // unit_differs
    [0, 0, 0, 0], // introduces_self
    [0.753, 0, 0, 0], // apposition
    [-0.372, 0, 0, 0], // welcome
    [0, 0.706, 0, 0], // year
    [1.315, 0, 0, 0], // screen_title
    [1.615, -0.461, 0, 0], // label_hit
    [0, -0.704, 0, 0], // bare_number
    [0, -1.453, 0, 0], // unwanted_unit
    [0, -0.371, 0, 0], // is_one
    [-0.465, 0, 0, 0], // opens_sentence
    [2.236, 0, 0, 0], // own_line
    [2.492, 0, 0, 0], // person
    [0.24, 0, 0, 0], // unwanted_person
    [-0.363, 0, 0, 0], // no_person
    [0, -0.749, 0, 0], // counts_other
    [1.16, 0, 0, 0], // whole_run
    [3.649, 0, 0, 0], // known_value
    [-0.908, 0, 0, 0], // known_otherwise
    [1.594, 0, 0, 0], // known_phrase
    [-0.595, 0, 0, 0], // facility_for_city
    [3.172, 0, 0, 0], // facility_wanted
    [0.417, 0, 0, 0], // first_name_wanted
    [0.345, 0, 0, 0], // first_name_unwanted
    [0, 0, 0, 0], // ordinal
    [-0.924, 0.465, 2.197, -0.619], // named_here
    [-0.931, -1.345, -2.139, -2.615], // named_better_elsewhere
    [0.068, -0.279, -0.87, 0.147], // other_field_named
    [0.501, 0.441, 0, 0], // only_of_unit
    [0.103, -0.044, 0, 0], // unit_elsewhere
    [0.793, 1.377, 0.306, -4.288], // near_own
    [-0.707, -2.14, -1.602, 1.483], // near_other
    [-0.333, 0, 0, 0], // phrase_near_own
    [0.349, 0.263, 0.679, 0], // replaces
    [-0.672, -0.725, -0.06, 0], // replaced
    [-1.713, -0.071, -0.639, 0], // outdated
    [-0.334, 0, 0, 0], // outdated_name
    [0.242, -0.017, -1.53, 0.518], // in_last_recap
    [-0.83, -0.195, -2.552, -2.799], // left_out_of_last_recap
    [-0.192, 0, 0, 0], // left_out_name
    [-0.317, 0.821, 0.07, 1.518], // taken
    [-1.984, -1.266, -2.103, -1.912], // declined
    [0.484, 0.689, 1.275, 1.656], // taken_somewhere
    [0.226, 0.286, -3.714, -1.543], // taken_back_at_last
    [0, 0, 0, 0] // one_of_a_choice
  ]),
  comparison: [
    -1.332, // bias
    0.506, // own
    0.536, // ahead_of_other_values
    0.263, // ahead_of_other_leaves
    -0.155, // boolean
    -0.056 // mentions
  ]
}
