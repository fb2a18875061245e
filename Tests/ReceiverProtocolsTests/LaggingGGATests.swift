import Quantities
import ReceiverProtocols
import Testing

/// Receivers whose GGA has a time one second behind RMC, GLL and ZDA of the same solution.
@Suite("GGA one second behind", .timeLimit(.minutes(30)))
struct LaggingGGATests {
  /// A receiver that drives north. The altitude in GGA is the true second of its position plus 100,
  /// so that an epoch shows which GGA it contains.
  private struct Receiver {
    var metresPerSecond = 10.0
    /// Decimals of a minute in GGA; the other sentences have four.
    var decimals = 4
    var lag = 1
    var others = "RGZ"

    private func latitude(_ second: Int, decimals: Int) -> String {
      var scale = 1
      for _ in 0..<decimals { scale *= 10 }
      // A minute of latitude has about 1852 metres.
      let units = Int(bounded: (metresPerSecond * Double(second) / 1852 * Double(scale)).rounded())
      let digits = String(units % scale)
      return
        "48\(pad(units / scale)).\(String(repeating: "0", count: decimals - digits.count))\(digits)"
    }

    private func pad(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }

    /// Second of the day to `hhmmss`.
    private func clock(_ second: Int) -> String {
      pad(second / 3600 % 24) + pad(second / 60 % 60) + pad(second % 60)
    }

    /// The second of the day at which the drive begins.
    var start = 43_200

    func gga(_ second: Int) -> String {
      sentence(
        "GPGGA,\(clock(start + second - lag)).00,\(latitude(second, decimals: decimals)),N,01131.0000,E,1,08,0.9,"
          + "\(100 + second).0,M,46.9,M,,")
    }

    func others(_ second: Int) -> String {
      let (time, place) = (clock(start + second), latitude(second, decimals: 4))
      var text = ""
      if others.contains("R") {
        let date = start + second < 86_400 ? "150624" : "160624"
        text += sentence("GPRMC,\(time).00,A,\(place),N,01131.0000,E,19.4,0.0,\(date),,,A")
      }
      if others.contains("G") { text += sentence("GPGLL,\(place),N,01131.0000,E,\(time).00,A,A") }
      if others.contains("Z") { text += sentence("GPZDA,\(time).00,15,06,2024,00,00") }
      return text
    }
  }

  /// The true second of the position and of the label, for each epoch with an altitude that is not
  /// replaced by a revision.
  private func seconds(_ text: String, start: Int = 43_200) -> [(label: Int, truth: Int)] {
    var found: [(label: Int, truth: Int)] = []
    for epoch in epochs(text) {
      guard let utc = epoch.fix.utc, let altitude = epoch.fix.altitudeMetres else { continue }
      if epoch.isRevision, !found.isEmpty { found.removeLast() }
      let second = Int(utc.nanosecondsOfDay / 1_000_000_000)
      found.append(((second - start + 86_400) % 86_400, Int(bounded: altitude) - 100))
    }
    return found
  }

  @Test(
    "The place has the time of the other sentences from the fourth epoch on", arguments: [0, 1])
  func corrected(order: Int) {
    let receiver = Receiver()
    let text = (1...20).map {
      order == 0
        ? receiver.gga($0) + receiver.others($0) : receiver.others($0) + receiver.gga($0)
    }.joined()
    let late = seconds(text).filter { $0.truth > 4 }
    #expect(late.map(\.truth) == Array(5...20))
    #expect(late.allSatisfy { $0.label == $0.truth }, "\(late)")
    // One epoch a second, with the values of all sentences.
    let last = epochs(text).suffix(10)
    #expect(last.allSatisfy { $0.fix.altitudeMetres != nil && $0.fix.speedMetresPerSecond != nil })
    #expect(Set(last.compactMap { $0.fix.utc?.nanosecondsSince1970 }).count == 10)
  }

  @Test("At rest the order alone shows the lag; it is kept where the order does not show it")
  func atRest() {
    let receiver = Receiver(metresPerSecond: 0)
    let after = (1...12).map { receiver.others($0) + receiver.gga($0) }.joined()
    #expect(seconds(after).suffix(6).allSatisfy { $0.label == $0.truth })
    let moving = Receiver()
    let parked = { (text: String) in text.replacing(/48\d\d\.\d{4}/, with: "4800.0648") }
    let before =
      (1...12).map { moving.gga($0) + moving.others($0) }.joined()
      + (13...20).map { parked(moving.gga($0) + moving.others($0)) }.joined()
    #expect(seconds(before).suffix(6).allSatisfy { $0.label == $0.truth })
  }

  @Test("More digits in GGA than in the others hide no lag")
  func digits() {
    let receiver = Receiver(decimals: 6)
    let text = (1...20).map { receiver.gga($0) + receiver.others($0) }.joined()
    #expect(seconds(text).suffix(12).allSatisfy { $0.label == $0.truth })
  }

  @Test("A corrected GGA passes midnight with the other sentences")
  func midnight() throws {
    let receiver = Receiver(start: 86_390)
    for isFirst in [true, false] {
      let text = (1...20).map {
        isFirst ? receiver.gga($0) + receiver.others($0) : receiver.others($0) + receiver.gga($0)
      }.joined().replacing("15,06,2024", with: ",,")
      let all = epochs(text)
      #expect(seconds(text, start: 86_390).suffix(14).allSatisfy { $0.label == $0.truth })
      let end = try #require(all.last?.fix.utc)
      #expect(end == UTCTime(year: 2024, month: 6, day: 16, second: 10))
    }
  }

  @Test(
    "A GGA of its own second keeps its time, wherever it is in the cycle",
    arguments: [0.0, 0.03, 10], [4, 6])
  func inTime(speed: Double, decimals: Int) {
    let receiver = Receiver(metresPerSecond: speed, decimals: decimals, lag: 0)
    for isFirst in [true, false] {
      let text = (1...30).map {
        isFirst ? receiver.gga($0) + receiver.others($0) : receiver.others($0) + receiver.gga($0)
      }.joined()
      let all = seconds(text)
      #expect(all.map(\.truth) == Array(1...30))
      #expect(all.allSatisfy { $0.label == $0.truth })
    }
  }

  @Test("A GGA that is sent a second late keeps its time in motion")
  func sentLate() {
    let receiver = Receiver(lag: 0)
    let text = (2...20).map { receiver.others($0) + receiver.gga($0 - 1) }.joined()
    let all = epochs(text).filter { $0.fix.altitudeMetres != nil }
    #expect(!all.isEmpty)
    for epoch in all {
      let second = Int((epoch.fix.utc?.nanosecondsOfDay ?? 0) / 1_000_000_000) - 43_200
      #expect(epoch.fix.altitudeMetres == Double(100 + second))
    }
  }

  @Test("The correction ends where GGA has the time of its own second")
  func ends() {
    let (lagging, inTime) = (Receiver(), Receiver(lag: 0))
    let text =
      (1...10).map { lagging.gga($0) + lagging.others($0) }.joined()
      + (11...30).map { inTime.gga($0) + inTime.others($0) }.joined()
    #expect(seconds(text).suffix(17).allSatisfy { $0.label == $0.truth })
  }

  @Test(
    "One other sentence does not decide which of the two times is wrong", arguments: ["R", "G"])
  func undecided(others: String) {
    let receiver = Receiver(others: others)
    let text = (1...20).map { receiver.gga($0) + receiver.others($0) }.joined()
    let withDate = receiver.others == "G" ? Receiver().others(0) + text : text
    #expect(seconds(withDate).dropFirst().allSatisfy { $0.label == $0.truth - 1 })
  }

  @Test("A lag of one second is found at five epochs a second")
  func fiveHertz() throws {
    func time(_ tick: Int) -> String { "12000\(tick / 5).\(tick % 5 * 2)0" }
    func place(_ tick: Int) -> String { "48\(10 + tick).0000" }
    var text = ""
    for tick in 5..<45 {
      text += sentence(
        "GPGGA,\(time(tick - 5)),\(place(tick)),N,01131.0000,E,1,08,0.9,\(tick).0,M,46.9,M,,")
      text += sentence("GPRMC,\(time(tick)),A,\(place(tick)),N,01131.0000,E,0.0,0.0,150624,,,A")
      text += sentence("GPGLL,\(place(tick)),N,01131.0000,E,\(time(tick)),A,A")
    }
    let all = epochs(text).suffix(25)
    for epoch in all {
      let utc = try #require(epoch.fix.utc)
      let tick = (utc.nanosecondsOfDay - 43_200_000_000_000) / 200_000_000
      #expect(epoch.fix.altitudeMetres == Double(tick) && epoch.fix.speedMetresPerSecond != nil)
    }
  }
}
