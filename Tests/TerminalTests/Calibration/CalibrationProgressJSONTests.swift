import CalibrationFit
import Quantities
import Terminal
import Testing

@Suite(.timeLimit(.minutes(30))) struct CalibrationProgressJSONTests {
  private func json(
    _ progress: CalibrationProgress, at time: UTCTime? = nil,
    _ change: (inout CalibrationSessionText) -> Void = { _ in }
  ) -> String {
    var text = Stages.text
    change(&text)
    return String(
      decoding: CalibrationProgressJSON.object(progress, at: time, text: text), as: UTF8.self)
  }

  @Test("A stage has all known values")
  func stage() {
    let text = json(Stages.turning)
    #expect(
      text.hasPrefix(
        "{\"t\":17.900,\"samples\":64,\"quality\":\"poor\",\"use\":\"any attitude\",\"worstError_deg\":16.200,"
          + "\"levelError_deg\":12.000,\"advice\":\"turnLevel\",\"missing_deg\":118.0,"
          + "\"adviceText\":\"Keep it level and turn it right: 120 deg still missing.\","
          + "\"sphereVisited\":0.0151,\"ringVisited_deg\":150,\"tiltRow\":0,\"tiltColumn\":4,"
          + "\"bearing\":14,\"sphereError_deg\":[4.00,4.00,"))
    #expect(text.contains("\"ringVisits\":[4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,"))
    #expect(text.hasSuffix("],\"sensor\":\"LIS3MDL\",\"board\":\"Pi bench\"}"))
    let time = UTCTime(year: 2026, month: 7, day: 1)
    #expect(
      json(Stages.turning, at: time).hasPrefix(
        "{\"t\":17.900,\"time\":\"2026-07-01T00:00:00.000Z\",\"samples\":64,"))
    #expect(json(Stages.tilting).contains("\"advice\":\"tilt\",\"side\":\"left\""))
  }

  @Test("An unknown value is absent, or null in an array")
  func unknown() {
    for progress in [Stages.still, Stages.poisoned] {
      let text = json(progress)
      #expect(!text.contains("worstError_deg") && !text.contains("nan") && !text.contains("inf"))
      #expect(text.contains("\"sphereError_deg\":[null,null,"))
    }
    #expect(!json(Stages.still).contains("bearing"))
    #expect(!json(Stages.still).contains("simulated") && !json(Stages.still).contains("findings"))
  }

  @Test("Quotation marks, backslashes and control characters are escaped")
  func escapes() {
    let text = json(Stages.still) {
      $0.findings = [CalibrationFinding("a \"b\" \\ c\n"), CalibrationFinding("ä")]
      $0.end = "over"
      $0.isSimulated = true
      $0.board = ""
    }
    #expect(text.contains(#""findings":["a \"b\" \\ c\u000a","ä"],"end":"over""#))
    #expect(text.hasSuffix("\"sensor\":\"LIS3MDL\",\"simulated\":true}"))
  }

  @Test("Arrays have one value for each cell and bin")
  func arrays() {
    for progress in Stages.all {
      let text = json(progress)
      for (key, count) in [("sphereError_deg", 162), ("sphereVisits", 162), ("ringError_deg", 36)] {
        let start = text.split(separator: "\"\(key)\":[", maxSplits: 1)
        let values = start[1].prefix { $0 != "]" }.split(separator: ",")
        #expect(values.count == count, "\(key)")
      }
      // Every quotation mark has its partner, every bracket too.
      #expect(text.filter { $0 == "\"" }.count % 2 == 0)
      #expect(text.filter { $0 == "[" }.count == text.filter { $0 == "]" }.count)
    }
  }
}
