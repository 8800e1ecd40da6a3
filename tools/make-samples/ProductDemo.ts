import { box, column, disc } from "./Drawing.ts"
import type { Sample } from "./Sample.ts"

const ink = "#22302a"
const anna = (text: string) => ({ speaker: "anna", text })
const peter = (text: string) => ({ speaker: "peter", text })

const leaf = (x: number, y: number, scale: number, fill: string) =>
  `<path transform="translate(${x} ${y}) scale(${scale})" d="M0 0C60 -90 160 -90 200 0C160 90 60 90 0 0Z" fill="${fill}"/>`
const plant = (x: number, y: number) =>
  box(x - 60, y, 120, 110, "#b5673a", 12) + box(x - 6, y - 120, 12, 120, "#2d6b3f") + leaf(x, y - 60, 0.6, "#4fa866") +
  leaf(x - 120, y - 90, 0.6, "#3c8c52")
const phone = (x: number, y: number, inside: string) =>
  box(x, y, 280, 500, "#20242b", 36) + box(x + 18, y + 40, 244, 420, "#f7faf8", 12) + inside

/** A product demo of seven screens by two presenters who take turns. */
export const productDemo: Sample = {
  name: "product-demo",
  template: "product-demo",
  speakers: { anna: { name: "Anna Cole", voice: "slt" }, peter: { name: "Peter Stone", voice: "rms" } },
  slides: [
    {
      background: "#1f5a3a",
      shapes: leaf(800, 330, 2.1, "#4fa866") + leaf(760, 470, 1.7, "#3c8c52"),
      lines: [
        ...column(90, 290, 0, "#ffffff", [["Garden Helper", 80, true]]),
        ...column(90, 400, 70, "#dff0e5", [["by Green Hill Software", 42], ["Anna Cole and Peter Stone", 34]])
      ],
      spoken: [
        anna("Hello, I am Anna Cole."),
        anna("Today we show you our new app."),
        anna("It is called Garden Helper."),
        peter("And I am Peter Stone."),
        peter("Garden Helper is made by Green Hill Software.")
      ]
    },
    {
      background: "#ffffff",
      shapes: box(0, 0, 1280, 140, "#3c8c52") + disc(120, 255, 22, "#e0a82e") + disc(120, 405, 22, "#e0a82e") +
        disc(120, 555, 22, "#e0a82e"),
      lines: [
        ...column(80, 95, 0, "#ffffff", [["Features", 60, true]]),
        ...column(180, 272, 150, ink, [["Water reminders", 50], ["Plant scanner", 50], ["Weather alerts", 50]])
      ],
      spoken: [
        anna("The app has three main features."),
        anna("They are water reminders, a plant scanner, and weather alerts.")
      ]
    },
    {
      background: "#dfeaf5",
      shapes: phone(900, 120, box(930, 200, 220, 90, "#ffffff", 14) + disc(970, 245, 22, "#2f6db5") + plant(1040, 440)),
      lines: [
        ...column(90, 170, 0, "#1d4e86", [["Water reminders", 60, true]]),
        ...column(90, 320, 70, ink, [["You get a message when", 44], ["a plant needs water.", 44]])
      ],
      spoken: [
        peter("How do the water reminders work?"),
        anna("The app knows each plant in your garden."),
        anna("You get a message when a plant needs water.")
      ]
    },
    {
      background: "#20242b",
      shapes: box(720, 150, 460, 420, "#e9e4d4", 20) + plant(950, 400) + box(740, 250, 420, 8, "#e0412e"),
      lines: [
        ...column(90, 190, 0, "#ffffff", [["Plant scanner", 60, true]]),
        ...column(90, 330, 70, "#dbe5f0", [["Take a photo of a leaf", 44], ["and see its name.", 44]])
      ],
      spoken: [
        peter("What does the plant scanner do?"),
        anna("You take a photo of a leaf."),
        anna("The app shows you the name of the plant in two seconds.")
      ]
    },
    {
      background: "#f6f2e8",
      shapes: disc(1040, 230, 110, "#e0a82e") + disc(900, 320, 90, "#aab6c4") + disc(1010, 340, 110, "#aab6c4") +
        disc(1120, 330, 80, "#aab6c4") + box(870, 470, 16, 70, "#2f6db5", 8) + box(980, 500, 16, 70, "#2f6db5", 8) +
        box(1090, 470, 16, 70, "#2f6db5", 8) + box(0, 660, 1280, 60, "#8a6b3d"),
      lines: [
        ...column(90, 170, 0, "#8a4b1d", [["Weather alerts", 60, true]]),
        ...column(90, 320, 70, ink, [["The app warns you", 44], ["before a cold night.", 44]])
      ],
      spoken: [
        peter("I like the weather alerts best."),
        peter("The app warns you before a cold night."),
        anna("Then you can bring your flowers into the house.")
      ]
    },
    {
      background: "#ffffff",
      shapes: box(80, 200, 520, 330, "#e6f0ea", 24) + box(680, 200, 520, 330, "#1f5a3a", 24),
      lines: [
        ...column(80, 120, 0, ink, [["Prices", 64, true]]),
        ...column(130, 300, 120, ink, [["Home plan", 46, true], ["$4 per month", 50]]),
        ...column(730, 300, 120, "#ffffff", [["Family plan", 46, true], ["$7 per month", 50]]),
        ...column(80, 630, 0, ink, [["The first 30 days are free.", 40]])
      ],
      spoken: [
        anna("How much does it cost?"),
        peter("The home plan costs four dollars per month."),
        peter("The family plan costs seven dollars per month."),
        peter("The first thirty days are free.")
      ]
    },
    {
      background: "#e0a82e",
      shapes: box(0, 420, 1280, 300, "#22302a"),
      lines: [
        ...column(90, 180, 0, ink, [["Start today", 72, true]]),
        ...column(90, 310, 0, ink, [["www.garden-helper.example", 56]]),
        ...column(90, 590, 0, "#ffffff", [["Green Hill Software", 46]])
      ],
      spoken: [
        anna("You can find the app at garden helper dot example."),
        peter("Start today, and thank you for watching.")
      ]
    }
  ],
  facts: [
    { pointer: "/product", value: "Garden Helper", must: true, slides: [1, 1], where: "both" },
    { pointer: "/company", value: "Green Hill Software", must: false, slides: [1, 7], where: "both" },
    { pointer: "/presenters/*", value: "Anna Cole", must: false, slides: [1, 1], where: "both" },
    { pointer: "/presenters/*", value: "Peter Stone", must: false, slides: [1, 1], where: "both" },
    { pointer: "/features/*/name", value: "Water reminders", must: false, slides: [2, 3], where: "both" },
    {
      pointer: "/features/*/description",
      value: "You get a message when a plant needs water.",
      must: false,
      slides: [3, 3],
      where: "both"
    },
    { pointer: "/features/*/name", value: "Plant scanner", must: false, slides: [2, 4], where: "both" },
    {
      pointer: "/features/*/description",
      value: "Take a photo of a leaf and see its name.",
      must: false,
      slides: [4, 4],
      where: "screen"
    },
    { pointer: "/features/*/name", value: "Weather alerts", must: false, slides: [2, 5], where: "both" },
    {
      pointer: "/features/*/description",
      value: "The app warns you before a cold night.",
      must: false,
      slides: [5, 5],
      where: "both"
    },
    { pointer: "/prices/*/amount", value: 4, must: true, slides: [6, 6], where: "both" },
    { pointer: "/prices/*/amount", value: 7, must: true, slides: [6, 6], where: "both" },
    { pointer: "/prices/*/currency", value: "USD", must: true, slides: [6, 6], where: "both" },
    { pointer: "/prices/*/plan", value: "Home plan", must: false, slides: [6, 6], where: "both" },
    { pointer: "/prices/*/plan", value: "Family plan", must: false, slides: [6, 6], where: "both" },
    { pointer: "/url", value: "www.garden-helper.example", must: true, slides: [7, 7], where: "screen" },
    {
      pointer: "/questions/*",
      value: "How do the water reminders work?",
      must: false,
      slides: [3, 3],
      where: "speech"
    },
    { pointer: "/questions/*", value: "What does the plant scanner do?", must: false, slides: [4, 4], where: "speech" },
    { pointer: "/questions/*", value: "How much does it cost?", must: false, slides: [6, 6], where: "speech" }
  ]
}
