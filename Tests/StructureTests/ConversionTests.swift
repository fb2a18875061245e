import Foundation
import TestSupport
import Testing

@Suite("Conversions of a Double to an integer", .timeLimit(.minutes(30)))
struct ConversionTests {
  @Test("no source rounds into the standard conversion, which stops the program out of range")
  func bounded() throws {
    let sources = SharedData.repository.appendingPathComponent("Sources")
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      count += 1
      let text = try String(contentsOf: file, encoding: .utf8)
      for line in text.split(separator: "\n") {
        // A conversion with a label, as `Int(bounded:)`, has a colon.
        let isBare = line.contains(#/\bU?Int(8|16|32|64)?\([^:"]*\.rounded\(/#)
        #expect(!isBare, "\(file.lastPathComponent): \(line)")
      }
    }
    #expect(count > 300)
  }
}
