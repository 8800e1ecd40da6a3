import { describe, expect, it } from "vitest"
import {
  asClock,
  byOneClock,
  clockTimesIn,
  meantMinutes,
  saysClock
} from "../../../../workers/extraction/lexicon/ClockTimes.ts"

const told = (text: string) => clockTimesIn(text).map((time) => `${asClock(time.minutes)}${time.settled ? "" : "?"}`)

describe("a time of day in words", () => {
  it("proves its value by the words that it is cited by", () => {
    for (
      const [said, value] of [["seven in the evening", "19:00"], ["three in the afternoon", "15:00"], [
        "two at night",
        "02:00"
      ]] as const
    ) {
      const { from, to } = clockTimesIn(`We come at ${said}, as always.`)[0]!
      expect(saysClock(`We come at ${said}, as always.`.slice(from, to), value)).toBe(true)
    }
  })
})

describe("times of the same footage", () => {
  it("stand as they are written where one of them is of twenty-four hours", () => {
    const times = byOneClock(["Tue-Fri 9:30-19:00", "Sat 10:00-16:00", "quarter to five"].flatMap(clockTimesIn))
    expect(times.map(({ minutes, settled }) => `${asClock(minutes)}${settled ? "" : "?"}`)).toEqual([
      "09:30",
      "19:00",
      "10:00",
      "16:00",
      "04:45?"
    ])
    expect(byOneClock(clockTimesIn("from 9:30 to 7:00")).map(({ settled }) => settled)).toEqual([false, false])
  })
})

describe("clockTimesIn", () => {
  it("takes a year for no time but where something is at it", () => {
    expect(told("in September, twenty twenty-six")).toEqual([])
    expect(told("the train at twenty twenty-six")).toEqual(["20:26"])
  })

  it("reads times as they are written and as people say them", () => {
    expect(told("at six twenty-two")).toEqual(["06:22?"])
    expect(told("thirteen oh eight, then at twenty-two hundred")).toEqual(["13:08", "22:00"])
    expect(told("five past seven, a quarter to nine, half past one")).toEqual(["07:05?", "08:45?", "01:30?"])
    expect(told("from nine till half seven")).toEqual(["09:00?", "07:30?"])
    expect(told("2:30 p.m. or 7:05 am")).toEqual(["14:30", "07:05"])
    expect(told("9.15–10.00")).toEqual(["09:15?", "10:00?"])
    expect(told("half past nine in the morning")).toEqual(["09:30"])
    expect(told("quarter to 5 pm")).toEqual(["16:45"])
    expect(told("noon and midnight")).toEqual(["12:00", "00:00"])
    expect(told("twenty to midnight")).toEqual(["23:40"])
    expect(told("ten past midnight")).toEqual(["00:10"])
    expect(told("a quarter to noon")).toEqual(["11:45"])
    expect(told("a quarter to one")).toEqual(["12:45?"])
  })

  it("gives a part of the day to the time that it is said of", () => {
    expect(told("The sun rises at six twelve and sets at eight forty in the evening.")).toEqual(["06:12", "20:40"])
    expect(told("We open at eight thirty and close at nine in the evening.")).toEqual(["08:30?", "21:00"])
    expect(told("From six to eight in the evening.")).toEqual(["18:00", "20:00"])
    expect(told("From ten in the morning until six in the evening.")).toEqual(["10:00", "18:00"])
    expect(told("three in the afternoon, two at night")).toEqual(["15:00", "02:00"])
  })

  it("reads none in prices, lengths and shares", () => {
    expect(told("It costs 12.50, half a pound, forty-one fifty, for half an hour")).toEqual([])
  })

  it("reads none in what is numbered or counted in hundreds", () => {
    expect(told("Two-oh-nine is free, room four oh one is not, and I counted four hundred and six.")).toEqual([])
    expect(told("We leave at four hundred.")).toEqual(["04:00?"])
  })

  it("reads minutes to the hour where people say so, and no time between two hours or two counts", () => {
    expect(told("It is ten to five. We met at twenty-five to ten, not twenty minutes to nine.")).toEqual([
      "04:50?",
      "09:35?",
      "08:40?"
    ])
    expect(told("five to six in the evening")).toEqual(["17:55"])
    expect(told("The bakery is open from nine to five.")).toEqual(["09:00?"])
    expect(told("Open 9 to 5, in groups of five to six people, ten to twenty pages each")).toEqual([])
  })

  it("takes a night's hours before six for the morning's and the others for the evening's", () => {
    expect(told("ten thirty at night, a quarter to twelve at night and two at night")).toEqual([
      "22:30",
      "23:45",
      "02:00"
    ])
  })

  it("leaves a time open where the part of the day is said of another one", () => {
    expect(told("We start at half past nine in the morning and end at a quarter to one.")).toEqual(["09:30", "12:45?"])
    expect(told("In the evening, at eight thirty")).toEqual(["20:30"])
  })

  it("means the half of the day of the times around it, else when people are about", () => {
    const [open] = clockTimesIn("at seven fifty-two")
    expect(asClock(meantMinutes(open!, []))).toBe("07:52")
    expect(asClock(meantMinutes(open!, clockTimesIn("18:20")))).toBe("19:52")
    expect(asClock(meantMinutes(clockTimesIn("at half past two")[0]!, []))).toBe("14:30")
    expect(asClock(meantMinutes(clockTimesIn("a quarter to one")[0]!, clockTimesIn("22:20")))).toBe("00:45")
    expect(saysClock("at half past two", "14:30") && saysClock("at half past two", "02:30")).toBe(true)
    expect(saysClock("at half past two in the afternoon", "02:30")).toBe(false)
  })
})
