import { columns, type RankModel } from "./Rank.ts"

// Written by tools/fit-ranker.ts. Data: SHA-256 0b339989011f233471ef0f0d2595f94e3e7546494f695caa6a3ce0430dc9673f over
// sgd_train.jsonl, sgd.jsonl, videos.jsonl and the footage's dev.jsonl, one after the other. By cross-validation the ranker alone
// has F1 0.835 and a calibration error of 0.045 on dialogues that were left out, and F1 0.826 on services that
// were left out; without capitals and punctuation F1 0.789 and 0.771.

// oxlint-disable oxc/approx-constant -- a fitted constant may lie near a famous one

/**
 * The fitted constants of the ranker: rows in the order of `FEATURES`, columns in that of `LEAF_GROUPS`; then in the order of
 * `COMPARISONS`. For footage of every kind.
 */
export const RANK_MODEL: RankModel = {
  threshold: 0.38,
  weights: columns([
    [-2.794, 0.015, -0.291, -0.043], // bias
    [2.336, -0.471, -0.138, -0.028], // kind_prior
    [0.201, 0.824, -1.078, -0.126], // context_here
    [0.148, 0.213, -0.421, -0.64], // context_before
    [0.252, 0.962, 0.216, 2.3], // context_in_question_before
    [1.806, 0.333, 1.62, 1.09], // nearest_term
    [1.415, -0.55, -1.449, 0], // direction_cue
    [-2.789, 0, 0, 0], // opposite_cue
    [0.901, -0.359, 0, 0], // label_overlap
    [0.35, 0.176, 0, 0], // said_by_two
    [-0.444, -1.646, -0.052, -0.012], // frequency
    [-0.332, -0.682, 1.207, -0.304], // position
    [0.478, -0.566, -0.202, -0.037], // last_mention
    [-0.821, -0.716, 0, 0], // competing_field
    [1.773, 0.954, 1.961, 0.629], // length
    [0.137, 0.156, -0.755, -0.194], // counted_noun
    [-1.303, 0.652, -1.96, 0.937], // negated
    [-0.74, -0.32, 0.836, -2.817], // opens_passage
    [-2.167, 0, 0, 0], // is_answer
    [0, 0, 2.879, 0], // enum_length
    [0, 0, -0.202, 0], // is_enum
    [0, 0, 0, -0.037], // is_boolean
    [0, 0.016, 0, 0], // is_number
    [-0.09, -0.307, 1.389, 2.882], // after_question
    [-0.341, -0.305, -0.202, -0.037], // first_mention
    [1.003, 0, 0, 0], // date_prior
    [1.751, 0, 0, 0], // time_prior
    [-1.227, 0, 0, 0], // name_prior
    [0.058, -0.898, 1.572, -1.409], // in_question
    [-3.503, 0, 0, 0], // is_phrase
    [-0.046, 0, 0, 0], // phrase_counted
    [-0.137, 0, 0, 0], // is_named
    [-0.851, 0.453, 0, 0], // is_plain_number
    [0.796, 1.966, 0.403, 0.674], // recap
    [-0.239, -0.345, 0.595, 0.926], // correction
    [-1.255, 0.206, -0.531, -2.052], // corrected_after
    [1.189, 0, 0, 0], // name_type_fits
    [-0.854, 0, 0, 0], // name_type_differs
    [0.598, 0, 0, 0], // place_fits
    [-0.126, 0.023, 1.207, -0.304], // last_position
    [0, 0.503, 0, 0], // unit_fits
    [0, 1.715, 0, 0], // unit_differs
    [0.762, 0, 0, 0], // introduces_self
    [1.4, 0, 0, 0], // apposition
    [-0.348, 0, 0, 0], // welcome
    [0, 0.556, 0, 0], // year
    [0.818, 0, 0, 0], // screen_title
    [1.023, -0.357, 0, 0], // label_hit
    [0, -0.735, 0, 0], // bare_number
    [0, -1.295, 0, 0], // unwanted_unit
    [0, -0.007, 0, 0], // is_one
    [-1.651, 0, 0, 0], // opens_sentence
    [1.177, 0, 0, 0], // own_line
    [1.331, 0, 0, 0], // person
    [-0.255, 0, 0, 0], // unwanted_person
    [-1.165, 0, 0, 0], // no_person
    [0, -0.632, 0, 0], // counts_other
    [0.027, 0, 0, 0], // whole_run
    [3.138, 0, 0, 0], // known_value
    [-1.447, 0, 0, 0], // known_otherwise
    [0.759, 0, 0, 0], // known_phrase
    [-0.358, 0, 0, 0], // facility_for_city
    [3.216, 0, 0, 0], // facility_wanted
    [-0.057, 0, 0, 0], // first_name_wanted
    [-0.114, 0, 0, 0], // first_name_unwanted
    [0, -0.034, 0, 0], // ordinal
    [-0.675, 0.114, 0.813, 1.696], // named_here
    [-0.763, -0.506, -2.56, -2.906], // named_better_elsewhere
    [-0.312, -0.758, -1.358, 0.202], // other_field_named
    [0.124, 0.503, 0, 0], // only_of_unit
    [0.749, -0.1, 0, 0], // unit_elsewhere
    [0.837, 2.365, -0.348, -1.005], // near_own
    [-0.844, -2.581, -1.093, 1.033], // near_other
    [-0.16, 0, 0, 0], // phrase_near_own
    [0.117, 0.084, 0.59, 0], // replaces
    [-0.243, -0.679, -0.085, 0], // replaced
    [-1.843, 0.013, -1.148, 0], // outdated
    [-0.556, 0, 0, 0], // outdated_name
    [0.036, -0.047, -1.641, 0.754], // in_last_recap
    [-1.022, -0.217, -2.465, 0], // left_out_of_last_recap
    [-0.116, 0, 0, 0], // left_out_name
    [-0.126, 0.559, 0.794, 0.971], // taken
    [-2.174, -1.116, -1.393, 0], // declined
    [0.25, 0.924, 0.917, 1.498], // taken_somewhere
    [0.733, -0.188, -3.663, -2.057], // taken_back_at_last
    [-1.781, 0, -1.749, 0] // one_of_a_choice
  ]),
  comparison: [
    -1.249, // bias
    0.421, // own
    0.666, // ahead_of_other_values
    0.258, // ahead_of_other_leaves
    -0.291, // boolean
    -0.106 // mentions
  ]
}

/** For two people who take turns, fitted on nothing else. */
export const CONVERSATION_RANK_MODEL: RankModel = {
  threshold: 0.38,
  weights: columns([
    [-4.391, 0.753, -0.166, 1.402], // bias
    [3.662, 0.371, -0.081, 0.61], // kind_prior
    [-0.131, -1.396, -0.694, -0.014], // context_here
    [0.522, 1.072, -0.666, 0.827], // context_before
    [0.027, -0.649, 0.47, 0.703], // context_in_question_before
    [2.41, 4.791, 0.675, -0.421], // nearest_term
    [1.665, 0, 0, 0], // direction_cue
    [-3.305, 0, 0, 0], // opposite_cue
    [0, 0, 0, 0], // label_overlap
    [0.225, 0.928, 0, 0], // said_by_two
    [-0.737, -1.067, -0.03, 0.23], // frequency
    [0.537, -2.362, 2.724, -0.567], // position
    [-0.286, -0.439, -0.118, 0.912], // last_mention
    [-1.071, -0.027, 0, 0], // competing_field
    [1.495, 0.075, 1.027, 0.235], // length
    [0.131, 1.364, -0.564, -2.109], // counted_noun
    [-0.131, 0.922, 0.001, 0.661], // negated
    [-0.454, -0.718, 0.48, 0.1], // opens_passage
    [-1.339, 0, 0, 0], // is_answer
    [0, 0, 0.778, 0], // enum_length
    [0, 0, -0.118, 0], // is_enum
    [0, 0, 0, 0.912], // is_boolean
    [0, 0.371, 0, 0], // is_number
    [0.063, 0.984, 1.988, 0.903], // after_question
    [-0.479, -0.514, -0.118, 0.912], // first_mention
    [2.848, 0, 0, 0], // date_prior
    [2.639, 0, 0, 0], // time_prior
    [-0.897, 0, 0, 0], // name_prior
    [0.329, -0.461, 1.795, -3.155], // in_question
    [-3.853, 0, 0, 0], // is_phrase
    [0.459, 0, 0, 0], // phrase_counted
    [0.505, 0, 0, 0], // is_named
    [0.131, 0.371, 0, 0], // is_plain_number
    [0.686, 1.264, 0.435, 0.414], // recap
    [-0.271, 1.382, 0.251, 0], // correction
    [-1.335, -0.479, -0.378, 0.05], // corrected_after
    [1.371, 0, 0, 0], // name_type_fits
    [-1.042, 0, 0, 0], // name_type_differs
    [0.701, 0, 0, 0], // place_fits
    [-0.424, -1.52, 2.724, -0.567], // last_position
    [0, 1.783, 0, 0], // unit_fits
    [0, 0, 0, 0], // unit_differs
    [-0.751, 0, 0, 0], // introduces_self
    [0.538, 0, 0, 0], // apposition
    [0, 0, 0, 0], // welcome
    [0, 0, 0, 0], // year
    [0, 0, 0, 0], // screen_title
    [0, 0, 0, 0], // label_hit
    [0, 0, 0, 0], // bare_number
    [0, -1.1, 0, 0], // unwanted_unit
    [0, -0.782, 0, 0], // is_one
    [-0.382, 0, 0, 0], // opens_sentence
    [0, 0, 0, 0], // own_line
    [0.434, 0, 0, 0], // person
    [-0.274, 0, 0, 0], // unwanted_person
    [-1.417, 0, 0, 0], // no_person
    [0, -1.948, 0, 0], // counts_other
    [0.052, 0, 0, 0], // whole_run
    [3.4, 0, 0, 0], // known_value
    [-1.348, 0, 0, 0], // known_otherwise
    [1.324, 0, 0, 0], // known_phrase
    [-0.384, 0, 0, 0], // facility_for_city
    [3.41, 0, 0, 0], // facility_wanted
    [1.07, 0, 0, 0], // first_name_wanted
    [0.004, 0, 0, 0], // first_name_unwanted
    [0, 0, 0, 0], // ordinal
    [-1.07, -1.854, 0.424, 0.734], // named_here
    [-0.377, -2.18, -1.997, -1.499], // named_better_elsewhere
    [-0.327, -2.454, -3.721, 0.048], // other_field_named
    [1.29, 0, 0, 0], // only_of_unit
    [0.307, 0, 0, 0], // unit_elsewhere
    [1.519, 2.366, -0.53, -1.307], // near_own
    [-1.093, -3.256, -0.019, 0.126], // near_other
    [-0.608, 0, 0, 0], // phrase_near_own
    [-0.06, 1.548, 0.247, 0], // replaces
    [-0.586, -0.157, -0.042, 0], // replaced
    [-1.605, -1.525, -1.166, 0], // outdated
    [-0.692, 0, 0, 0], // outdated_name
    [0.113, 1.242, -2.024, 0.466], // in_last_recap
    [-0.895, -0.036, -1.903, 0], // left_out_of_last_recap
    [0.243, 0, 0, 0], // left_out_name
    [0.016, 1.841, 1.336, 0.902], // taken
    [-2.055, -1.853, -0.888, 0], // declined
    [0.268, 0.097, 0.999, 1.354], // taken_somewhere
    [0.866, 1.865, -4.088, 0], // taken_back_at_last
    [-1.71, 0, -1.516, 0] // one_of_a_choice
  ]),
  comparison: [
    -1.153, // bias
    0.403, // own
    0.746, // ahead_of_other_values
    0.348, // ahead_of_other_leaves
    0.009, // boolean
    -0.249 // mentions
  ]
}

/** For speech that is written without capitals. */
export const UNCASED_RANK_MODEL: RankModel = {
  threshold: 0.38,
  weights: columns([
    [-4.317, 0.17, 0.057, -0.201], // bias
    [3.522, -0.398, -0.023, -0.07], // kind_prior
    [0.167, 0.415, -2.35, 1.53], // context_here
    [0.405, 0.473, 0.32, 1.538], // context_before
    [0.632, 0, 0, 0], // context_in_question_before
    [2.649, 1.008, 2.601, 1.513], // nearest_term
    [1.149, -0.467, -1.326, 0], // direction_cue
    [-3.115, 0, 0, 0], // opposite_cue
    [1.088, -0.486, 0, 0], // label_overlap
    [0.57, 0.242, 0, 0], // said_by_two
    [-0.766, -1.739, -0.011, -0.023], // frequency
    [0.674, -0.624, 0.969, -0.598], // position
    [-0.355, -0.626, -0.01, -0.116], // last_mention
    [-0.833, -0.689, 0, 0], // competing_field
    [2.578, 0.847, 2.068, 0.328], // length
    [-0.097, 0.352, -1.232, -0.071], // counted_noun
    [-1.659, 0.344, -2.583, 0.188], // negated
    [0.185, -0.294, 1.435, -0.404], // opens_passage
    [-0.003, 0, 0, 0], // is_answer
    [0, 0, 2.586, 0], // enum_length
    [0, 0, -0.01, 0], // is_enum
    [0, 0, 0, -0.116], // is_boolean
    [0, 0.025, 0, 0], // is_number
    [0.471, 0, 0, 0], // after_question
    [0, -0.261, -0.01, -0.116], // first_mention
    [1.168, 0, 0, 0], // date_prior
    [1.696, 0, 0, 0], // time_prior
    [-3.401, 0, 0, 0], // name_prior
    [-0.055, 0, 0, 0], // in_question
    [-4.204, 0, 0, 0], // is_phrase
    [0.571, 0, 0, 0], // phrase_counted
    [-0.366, 0, 0, 0], // is_named
    [-0.382, 0.291, 0, 0], // is_plain_number
    [1.045, 1.699, 0.419, 0.492], // recap
    [-0.11, -0.326, 0.682, 1.661], // correction
    [-0.533, -0.482, -1.352, -1.531], // corrected_after
    [1.754, 0, 0, 0], // name_type_fits
    [-0.298, 0, 0, 0], // name_type_differs
    [0.585, 0, 0, 0], // place_fits
    [-1.21, -0.039, 0.969, -0.598], // last_position
    [0, 0.641, 0, 0], // unit_fits
    [0, 1.792, 0, 0], // unit_differs
    [1.021, 0, 0, 0], // introduces_self
    [0.73, 0, 0, 0], // apposition
    [-0.381, 0, 0, 0], // welcome
    [0, 0.689, 0, 0], // year
    [1.532, 0, 0, 0], // screen_title
    [1.491, -0.481, 0, 0], // label_hit
    [0, -0.622, 0, 0], // bare_number
    [0, -1.468, 0, 0], // unwanted_unit
    [0, 0.142, 0, 0], // is_one
    [-0.418, 0, 0, 0], // opens_sentence
    [2.141, 0, 0, 0], // own_line
    [2.395, 0, 0, 0], // person
    [0.238, 0, 0, 0], // unwanted_person
    [-0.43, 0, 0, 0], // no_person
    [0, -0.7, 0, 0], // counts_other
    [1.039, 0, 0, 0], // whole_run
    [4.06, 0, 0, 0], // known_value
    [-0.924, 0, 0, 0], // known_otherwise
    [0.042, 0, 0, 0], // known_phrase
    [-0.362, 0, 0, 0], // facility_for_city
    [3.254, 0, 0, 0], // facility_wanted
    [0.32, 0, 0, 0], // first_name_wanted
    [0.381, 0, 0, 0], // first_name_unwanted
    [0, 0, 0, 0], // ordinal
    [-0.765, 0.517, 2.197, -0.429], // named_here
    [-0.851, -1.155, -2.139, -2.435], // named_better_elsewhere
    [-0.045, -0.287, -0.87, 0.158], // other_field_named
    [0.387, 0.386, 0, 0], // only_of_unit
    [0.204, -0.022, 0, 0], // unit_elsewhere
    [0.669, 1.346, 0.306, -4.318], // near_own
    [-0.635, -2.184, -1.602, 1.454], // near_other
    [-0.021, 0, 0, 0], // phrase_near_own
    [0.366, 0.3, 0.679, 0], // replaces
    [-0.772, -0.719, -0.06, 0], // replaced
    [-1.685, -0.072, -0.639, 0], // outdated
    [-0.27, 0, 0, 0], // outdated_name
    [0.206, 0.001, -1.53, 0.502], // in_last_recap
    [-0.823, -0.17, -2.552, -2.8], // left_out_of_last_recap
    [-0.078, 0, 0, 0], // left_out_name
    [-0.28, 0.746, 0.07, 1.599], // taken
    [-1.998, -1.179, -2.103, -2.328], // declined
    [0.437, 0.701, 1.275, 1.712], // taken_somewhere
    [0.22, 0.312, -3.714, -1.544], // taken_back_at_last
    [0, 0, 0, 0] // one_of_a_choice
  ]),
  comparison: [
    -1.34, // bias
    0.504, // own
    0.537, // ahead_of_other_values
    0.26, // ahead_of_other_leaves
    -0.155, // boolean
    -0.06 // mentions
  ]
}
