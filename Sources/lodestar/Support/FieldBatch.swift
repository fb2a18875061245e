import EarthModel
import Formats
import Quantities

/// Computes a CSV of magnetic elements for a file of places and dates.
struct FieldBatch {
  let path: String
  let model: MagneticModel

  func run() throws {
    var lines = LineReader(try input())
    let out = OutputStream()
    try out.line("D,I,H,X,Y,Z,F,dD,dI,dH,dX,dY,dZ,dF")
    var warned: [MagneticModelWarning] = []
    do {
      while let line = try next(&lines) {
        let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard let first = words.first, !first.hasPrefix("#") else { continue }
        let elements = try answer(words, line: lines.number)
        try out.line { Self.append(elements, to: &$0) }
        for warning in elements.warnings where !warned.contains(warning) {
          warned.append(warning)
          StandardError.say("warning: \(path):\(lines.number): \(FieldText.message(warning))")
        }
      }
    } catch {
      // The lines before the fault are written.
      try out.close()
      throw error
    }
    try out.close()
  }

  private func input() throws(Failure) -> ByteReader {
    do { return try ByteReader(path: path) } catch { throw .input("\(error)") }
  }

  private func next(_ lines: inout LineReader) throws(Failure) -> String? {
    do {
      return try lines.next().map { String(decoding: $0, as: UTF8.self) }
    } catch {
      throw .input("\(error)")
    }
  }

  private func answer(
    _ words: [Substring], line: Int
  ) throws(Failure) -> MagneticElements {
    let names = ["decimal_year", "altitude_km", "lat", "lon"]
    guard words.count == names.count else {
      throw .input(
        "\(path):\(line): \(words.count) values; expected \(names.joined(separator: " "))")
    }
    var values: [Double] = []
    for (word, name) in zip(words, names) {
      guard let value = Double(word), value.isFinite else {
        throw .input("\(path):\(line): column \(name): '\(word)'; expected a number")
      }
      values.append(value)
    }
    do {
      return try model.elements(
        at: GeodeticPosition(latitudeDegrees: values[2], longitudeDegrees: values[3]),
        ellipsoidalHeightMetres: values[1] * 1000, decimalYear: values[0])
    } catch {
      throw .input("\(path):\(line): \(FieldText.message(error))")
    }
  }

  private static func append(_ e: MagneticElements, to line: inout [UInt8]) {
    let values = [
      e.declination.degrees, e.inclination.degrees, e.horizontalNanotesla, e.northNanotesla,
      e.eastNanotesla, e.downNanotesla, e.totalNanotesla, e.declinationRate.degrees,
      e.inclinationRate.degrees, e.horizontalRateNanotesla, e.northRateNanotesla,
      e.eastRateNanotesla, e.downRateNanotesla, e.totalRateNanotesla,
    ]
    for (i, value) in values.enumerated() {
      if i > 0 { line.append(ascii: ",") }
      line.append(value, decimals: 6)
    }
  }
}
