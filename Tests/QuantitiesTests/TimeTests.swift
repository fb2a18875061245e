import Quantities
import Testing

@Suite("Monotonic and civil time", .timeLimit(.minutes(30)))
struct TimeTests {
  @Test("civil dates far and near come back from their instant")
  func roundTrip() throws {
    for (y, m, d) in [(1970, 1, 1), (1969, 12, 31), (2000, 2, 29), (2024, 2, 29), (2026, 11, 21)] {
      let t = try #require(UTCTime(year: y, month: m, day: d, hour: 23, minute: 59, second: 59))
      #expect(t.date == CivilDate(year: y, month: m, day: d))
      #expect(t.nanosecondsOfDay == 86_399_000_000_000)
    }
  }

  @Test("the first representable time has its time of day")
  func first() {
    // 1677-09-21T00:12:43.145224192Z
    #expect(UTCTime(nanosecondsSince1970: .min).nanosecondsOfDay == 763_145_224_192)
  }

  @Test("the POSIX time of a known instant is right")
  func known() {
    // `date -u -d 2026-11-21T04:12:53Z +%s`
    let t = UTCTime(year: 2026, month: 11, day: 21, hour: 4, minute: 12, second: 53)
    #expect(t?.nanosecondsSince1970 == 1_795_234_373_000_000_000)
  }

  @Test("dates that do not exist are rejected; second 60 is the next minute")
  func invalid() {
    #expect(UTCTime(year: 2023, month: 2, day: 29) == nil)
    #expect(UTCTime(year: 2023, month: 13, day: 1) == nil)
    #expect(UTCTime(year: 2023, month: 1, day: 1, hour: 24) == nil)
    let leap = UTCTime(year: 2016, month: 12, day: 31, hour: 23, minute: 59, second: 60)
    #expect(leap == UTCTime(year: 2017, month: 1, day: 1))
  }

  @Test("the decimal year counts leap years' days")
  func decimalYear() throws {
    let t = try #require(UTCTime(year: 2024, month: 7, day: 2))
    #expect(abs(t.decimalYear - (2024 + 183.0 / 366)) < 1e-12)
  }

  @Test("a time beyond the representable range is limited, never a trap")
  func beyond() {
    let now = UTCTime(nanosecondsSince1970: 1_795_234_373_000_000_000)
    #expect(now.advanced(bySeconds: 1.8e10).nanosecondsSince1970 == .max)
    #expect(now.advanced(bySeconds: -1e300).nanosecondsSince1970 < -7_000_000_000_000_000_000)
    #expect(now.advanced(bySeconds: -1.5).seconds(since: now) == -1.5)
  }

  @Test("timestamps have nanoseconds and reject values that no clock has")
  func timestamps() {
    #expect(Timestamp(seconds: 1_700_000_000.25)?.nanoseconds == 1_700_000_000_250_000_000)
    #expect(Timestamp(seconds: -1e-3) == nil)
    #expect(Timestamp(seconds: .nan) == nil)
    let (a, b) = (Timestamp(nanoseconds: 5), Timestamp(nanoseconds: 2))
    #expect(abs(b.seconds(since: a) + 3e-9) < 1e-20 && abs(a.seconds(since: b) - 3e-9) < 1e-20)
  }

  @Test("times are read back unchanged, and other texts are refused")
  func times() {
    for nanoseconds: Int64 in [0, -1, 1, 1_795_278_750_125_000_000, -86_400_000_000_001] {
      let time = UTCTime(nanosecondsSince1970: nanoseconds)
      #expect(UTCTime(iso8601: time.text()) == time)
    }
    #expect(UTCTime(nanosecondsSince1970: 0).text() == "1970-01-01T00:00:00Z")
    for text in [
      "", "2026-11-21", "2026-11-21T15:12:30", "2026-13-21T15:12:30Z", "2026-11-21T15:12:30.Z",
      "2026-11-21T15:12:30.1234567890Z", "2026-11-21T15:12:3üZ", "+026-11-21T15:12:30Z",
    ] {
      #expect(UTCTime(iso8601: text) == nil, "\(text)")
    }
  }

  @Test("a text has the requested digits, truncated, and a time is read from any number of digits")
  func decimals() throws {
    let time = UTCTime(nanosecondsSince1970: 1_795_278_750_125_900_000)
    #expect(time.text() == "2026-11-21T16:32:30.1259Z")
    #expect(time.text(decimals: 0) == "2026-11-21T16:32:30Z")
    #expect(time.text(decimals: 3) == "2026-11-21T16:32:30.125Z")
    #expect(
      UTCTime(nanosecondsSince1970: -1).text(decimals: 9) == "1969-12-31T23:59:59.999999999Z")
    let long = Array("2026-11-21T16:32:30.12590000004Z".utf8)
    #expect(long.withUnsafeBufferPointer { UTCTime(iso8601: $0, mostDecimals: .max) } == time)
  }

  @Test("only an abbreviated text may have no Z, no seconds, no time and no leading zeros")
  func abbreviated() {
    let noon = UTCTime(year: 2026, month: 7, day: 2, hour: 12)
    for text in [
      "2026-07-02T12:00:00Z", "2026-07-02T12:00:00", "2026-07-02T12:00", "2026-7-2T12:0Z",
    ] {
      #expect(UTCTime(iso8601: text, isAbbreviated: true) == noon, "\(text)")
    }
    #expect(
      UTCTime(iso8601: "2026-07-02", isAbbreviated: true) == UTCTime(year: 2026, month: 7, day: 2))
    for text in [
      "2026-07-02T12:00", "2026-07-02T12:00Z", "2026-07-02T12:00:00", "2026-7-02T12:00:00Z",
    ] {
      #expect(UTCTime(iso8601: text) == nil, "\(text)")
    }
    for text in [
      "soon", "2026-07", "2026-07-02T", "2026-07-02T12", "2026-07-02 12:00", "2026-02-30",
    ] {
      #expect(UTCTime(iso8601: text, isAbbreviated: true) == nil, "\(text)")
    }
  }
}
