import { box, column, disc } from "./Drawing.ts"
import type { Sample } from "./Sample.ts"

const ink = "#1d2a3a"
const lecturer = (text: string) => ({ speaker: "lecturer", text })
const student = (text: string) => ({ speaker: "student", text })

const wheel = (x: number, y: number) => disc(x, y, 34, "#2b2f36") + disc(x, y, 13, "#c9d1da")
const train = box(150, 500, 640, 130, "#2f6db5", 24) + box(190, 525, 120, 50, "#dbe9f8", 8) +
  box(340, 525, 120, 50, "#dbe9f8", 8) + box(490, 525, 120, 50, "#dbe9f8", 8) + wheel(250, 636) + wheel(690, 636) +
  box(60, 668, 1160, 8, "#5b6572")

/** A lecture of seven slides with one question from the audience. */
export const lecture: Sample = {
  name: "lecture",
  template: "lecture-notes",
  speakers: {
    lecturer: { name: "Mary Brown", voice: "slt" },
    student: { name: "a student", voice: "rms" }
  },
  slides: [
    {
      background: "#14304f",
      shapes: box(0, 560, 1280, 160, "#e0a82e") + box(90, 330, 260, 8, "#e0a82e"),
      lines: [
        ...column(90, 280, 0, "#ffffff", [["Speed and Distance", 84, true]]),
        ...column(90, 410, 66, "#dbe5f0", [["Lecturer: Mary Brown", 42], ["Course: Physics for Beginners", 42]])
      ],
      spoken: [
        lecturer("Hello, and welcome to this short lecture."),
        lecturer("My name is Mary Brown."),
        lecturer("Today we talk about speed and distance."),
        lecturer("This is part of the course physics for beginners.")
      ]
    },
    {
      background: "#ffffff",
      shapes: box(0, 0, 1280, 130, "#2f6db5"),
      lines: [
        ...column(80, 88, 0, "#ffffff", [["Two definitions", 60, true]]),
        ...column(80, 270, 190, ink, [
          ["Speed: how far a thing moves in one hour", 44],
          ["Distance: how far it is from one place to another", 44]
        ])
      ],
      spoken: [
        lecturer("Let us begin with two simple definitions."),
        lecturer("Speed is how far a thing moves in one hour."),
        lecturer("Distance is how far it is from one place to another.")
      ]
    },
    {
      background: "#f3efe4",
      shapes: box(140, 260, 1000, 190, "#ffffff", 20) + box(140, 260, 18, 190, "#b5532f"),
      lines: [
        ...column(140, 150, 0, "#b5532f", [["The formula", 68, true]]),
        ...column(230, 380, 0, ink, [["speed = distance / time", 52]]),
        ...column(140, 570, 0, ink, [["Two numbers are enough to find the third.", 40]])
      ],
      spoken: [
        lecturer("Now look at the formula."),
        lecturer("Speed equals distance divided by time."),
        lecturer("If you know two of the numbers, you can find the third.")
      ]
    },
    {
      background: "#ffffff",
      shapes: box(0, 0, 40, 720, "#3a8f5c") + train,
      lines: [
        ...column(90, 110, 0, "#3a8f5c", [["Example: a train", 60, true]]),
        ...column(90, 220, 80, ink, [
          ["A train travels 240 kilometers in 3 hours.", 44],
          ["240 / 3 = 80", 44],
          ["Its speed is 80 kilometers per hour.", 44]
        ])
      ],
      spoken: [
        lecturer("Here is an example."),
        lecturer("A train travels two hundred and forty kilometers in three hours."),
        lecturer("Two hundred and forty divided by three is eighty."),
        lecturer("So the speed of the train is eighty kilometers per hour.")
      ]
    },
    {
      background: "#20242b",
      shapes: box(120, 430, 1040, 6, "#8c97a6") + disc(160, 433, 26, "#e0a82e") + disc(520, 433, 26, "#e0a82e") +
        disc(760, 433, 26, "#e0a82e") + disc(1120, 433, 26, "#e0a82e"),
      lines: [
        ...column(120, 150, 0, "#ffffff", [["Average speed", 60, true]]),
        ...column(120, 280, 0, "#dbe5f0", [["Average speed: all the distance divided by all the time", 36]]),
        ...column(120, 570, 0, "#dbe5f0", [["The train stops at four stations.", 40]])
      ],
      spoken: [
        student("I have a question."),
        student("Why do we say average speed?"),
        lecturer("That is a good question."),
        lecturer("The train stops at four stations."),
        lecturer("Average speed is all the distance divided by all the time.")
      ]
    },
    {
      background: "#ffffff",
      shapes: box(0, 0, 1280, 140, "#6a3d8f") + box(520, 210, 60, 70, "#e0a82e") + box(520, 370, 180, 70, "#3a8f5c") +
        box(520, 530, 600, 70, "#b5532f"),
      lines: [
        ...column(80, 95, 0, "#ffffff", [["Three more speeds", 60, true]]),
        ...column(80, 262, 160, ink, [["Walking: 5 km/h", 44], ["Cycling: 15 km/h", 44], ["City car: 50 km/h", 44]])
      ],
      spoken: [
        lecturer("Here are three more speeds."),
        lecturer("A person walks at five kilometers per hour."),
        lecturer("A bicycle goes at fifteen kilometers per hour."),
        lecturer("A car in the city goes at fifty kilometers per hour.")
      ]
    },
    {
      background: "#e6f0ea",
      shapes: box(880, 240, 300, 380, "#2f6db5", 10) + box(905, 260, 16, 340, "#dbe9f8") +
        box(950, 330, 190, 18, "#dbe9f8") + box(950, 370, 130, 18, "#dbe9f8"),
      lines: [
        ...column(90, 130, 0, "#1f5a3a", [["Summary", 64, true]]),
        ...column(90, 270, 90, ink, [
          ["Speed tells us how fast a thing moves.", 36],
          ["It is distance divided by time.", 36]
        ]),
        ...column(90, 500, 80, ink, [["Book: Simple Physics by John Hill", 36], ["Read chapter 2.", 36]])
      ],
      spoken: [
        lecturer("Let us sum up."),
        lecturer("Speed tells us how fast a thing moves."),
        lecturer("Please read chapter two of the book Simple Physics by John Hill."),
        lecturer("Thank you for listening, and see you next week.")
      ]
    }
  ],
  facts: [
    { pointer: "/title", value: "Speed and Distance", must: true, slides: [1, 1], where: "both" },
    { pointer: "/lecturer", value: "Mary Brown", must: true, slides: [1, 1], where: "both" },
    { pointer: "/course", value: "Physics for Beginners", must: true, slides: [1, 1], where: "both" },
    { pointer: "/outline/*/title", value: "Speed and Distance", must: false, slides: [1, 1], where: "screen" },
    { pointer: "/outline/*/title", value: "Two definitions", must: true, slides: [2, 2], where: "screen" },
    { pointer: "/outline/*/title", value: "The formula", must: true, slides: [3, 3], where: "screen" },
    { pointer: "/outline/*/title", value: "Example: a train", must: true, slides: [4, 4], where: "screen" },
    { pointer: "/outline/*/title", value: "Average speed", must: true, slides: [5, 5], where: "screen" },
    { pointer: "/outline/*/title", value: "Three more speeds", must: true, slides: [6, 6], where: "screen" },
    { pointer: "/outline/*/title", value: "Summary", must: true, slides: [7, 7], where: "screen" },
    { pointer: "/definitions/*/term", value: "Speed", must: true, slides: [2, 2], where: "both" },
    {
      pointer: "/definitions/*/definition",
      value: "how far a thing moves in one hour",
      must: false,
      slides: [2, 2],
      where: "both"
    },
    { pointer: "/definitions/*/term", value: "Distance", must: true, slides: [2, 2], where: "both" },
    {
      pointer: "/definitions/*/definition",
      value: "how far it is from one place to another",
      must: false,
      slides: [2, 2],
      where: "both"
    },
    { pointer: "/definitions/*/term", value: "Average speed", must: true, slides: [5, 5], where: "both" },
    { pointer: "/formulas/*", value: "speed = distance / time", must: false, slides: [3, 3], where: "screen" },
    {
      pointer: "/examples/*",
      value: "A train travels 240 kilometers in 3 hours.",
      must: false,
      slides: [4, 4],
      where: "both"
    },
    { pointer: "/references/*", value: "Simple Physics by John Hill", must: false, slides: [7, 7], where: "both" }
  ]
}
