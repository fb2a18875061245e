import CGazetteer
import Foundation
import Geocoder
import Quantities
import Testing

@Suite("A gazetteer's file", .timeLimit(.minutes(30)))
struct GazetteerFileTests {
  /// Writes the program's own gazetteer, changed, and hands out where.
  private func withFile<Result>(
    _ change: (inout Data) -> Void, _ body: (GazetteerSource) throws -> Result
  ) throws -> Result {
    var data = Data(bytes: lodestar_gazetteer_bytes(), count: lodestar_gazetteer_size())
    change(&data)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite")
    try data.write(to: file)
    defer { do { try FileManager.default.removeItem(at: file) } catch { _ = error } }
    return try body(.file(file.path))
  }

  private func fault(
    of source: GazetteerSource, library: String = "libsqlite3.so.0"
  ) -> GazetteerError? {
    do throws(GazetteerError) {
      let geocoder = Geocoder(try Gazetteer(source, library: library))
      // Reads the pages that opening does not read.
      for name in ["paris", "zurich", "東京", "a", "london", "santa maria"] {
        _ = try geocoder.forward(name)
      }
      for latitude in stride(from: -60.0, through: 75, by: 15) {
        for longitude in stride(from: -180.0, to: 180, by: 10) {
          _ = try geocoder.reverse(
            GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude))
        }
      }
      return nil
    } catch {
      return error
    }
  }

  @Test("that is the program's own is read from memory")
  func builtIn() throws {
    let gazetteer = try Gazetteers.builtIn()
    #expect(gazetteer.source == .builtIn)
    #expect(gazetteer.placeCount == 34_006)
    #expect(gazetteer.smallestPopulation == 15_000)
    #expect(lodestar_gazetteer_size() <= 6_000_000)
    #expect(gazetteer.countries.count > 240)
  }

  @Test("answers as the program's own does")
  func file() throws {
    try withFile { _ in
    } _: { source in
      let gazetteer = try Gazetteer(source)
      #expect(gazetteer.placeCount == 34_006)
      #expect(try Geocoder(gazetteer).forward("Paris").places.first?.locality == "Paris")
    }
  }

  @Test("that is not there is an error that names it")
  func absent() {
    let error = fault(of: .file("/nonexistent/gazetteer.sqlite"))
    guard case .unreadable(.file("/nonexistent/gazetteer.sqlite"), _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.description.contains("/nonexistent/gazetteer.sqlite") == true)
  }

  @Test("that is no database, or another program's, is an error with the remedy")
  func foreign() throws {
    let text = try withFile({ $0 = Data("no database at all, but some text\n".utf8) }) {
      fault(of: $0)
    }
    guard case .damaged = text else {
      Issue.record("\(String(describing: text))")
      return
    }
    #expect(text?.description.contains("Scripts/build-gazetteer") == true)
    // Offset 68: application_id.
    let other = try withFile({ $0[71] ^= 0xFF }) { fault(of: $0) }
    guard case .damaged(_, "its application_id is wrong") = other else {
      Issue.record("\(String(describing: other))")
      return
    }
  }

  @Test("of another format is an error that names the format")
  func otherFormat() throws {
    // Offset 60: user_version.
    let found = try withFile({ $0[63] = 9 }) { source in (fault(of: source), source) }
    #expect(found.0 == .otherFormat(source: found.1, found: 9, expected: Gazetteer.format))
  }

  @Test("that is truncated or overwritten gives an error or an answer, and no crash")
  func damaged() throws {
    #expect(try withFile({ $0 = $0.prefix(1_000_000) }) { fault(of: $0) } != nil)
    #expect(try withFile({ $0 = $0.prefix(4096) }) { fault(of: $0) } != nil)
    #expect(try withFile({ $0 = Data() }) { fault(of: $0) } != nil)
    for start in stride(from: 4096, to: 5_300_000, by: 1_000_000) {
      let error = try withFile({ data in
        data.replaceSubrange(start..<start + 8192, with: repeatElement(0xA5, count: 8192))
      }) { fault(of: $0) }
      if case .noLibrary = error { Issue.record("page \(start): \(String(describing: error))") }
    }
  }

  @Test("cannot be read without SQLite, and the error names the package")
  func noLibrary() {
    let error = fault(of: .builtIn, library: "liblodestar-absent.so.0")
    guard case .noLibrary(name: "liblodestar-absent.so.0", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.description.contains("sudo apt install libsqlite3-0") == true)
    // A library that is there and is not SQLite.
    guard case .noLibrary = fault(of: .builtIn, library: "libc.so.6") else {
      Issue.record("libc was taken for SQLite")
      return
    }
  }

  @Test("is the one that the environment names, else an installed one, else the program's own")
  func choice() {
    let installed = GazetteerSource.usualFiles
    #expect(
      GazetteerSource(environment: [GazetteerSource.variable: "/data/g.sqlite"]) { _ in true }
        == .file("/data/g.sqlite"))
    #expect(GazetteerSource(environment: [:]) { $0 == installed[1] } == .file(installed[1]))
    #expect(GazetteerSource(environment: [:]) { _ in true } == .file(installed[0]))
    #expect(
      GazetteerSource(environment: [GazetteerSource.variable: ""]) { _ in false } == .builtIn)
  }
}
