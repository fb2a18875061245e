import Foundation
import TestSupport
import Testing

@Suite("The web page's files", .timeLimit(.minutes(30)))
struct WebPageTests {
  private static let folder = SharedData.repository.appendingPathComponent("Sources/CWebPage")

  /// The names and texts of the files.
  private func files() throws -> [(name: String, text: String)] {
    let page = Self.folder.appendingPathComponent("Page")
    return try FileManager.default.contentsOfDirectory(atPath: page.path).sorted().map {
      ($0, try String(contentsOf: page.appendingPathComponent($0), encoding: .utf8))
    }
  }

  @Test("are all in the program, under their names")
  func listed() throws {
    let names = try files().map(\.name)
    #expect(names.contains("index.html"))
    for list in ["page.S", "files.c"] {
      let text = try String(
        contentsOf: Self.folder.appendingPathComponent(list), encoding: .utf8)
      let listed = text.matches(of: #/"([a-z]+\.[a-z]+)"/#).map { String($0.1) }
      #expect(listed.sorted() == names, "\(list)")
    }
  }

  @Test("have at most 120 kB, and load nothing from another server")
  func size() throws {
    let files = try files()
    #expect(files.reduce(0) { $0 + $1.text.utf8.count } <= 120_000)
    for file in files {
      // The name of a vocabulary is no address that is loaded.
      let text = file.text.replacing("http://www.w3.org/2000/svg", with: "")
      #expect(!text.contains(#/(https?:)?\/\/[a-z0-9.-]+\.[a-z]{2,}/#), "\(file.name)")
    }
  }

  @Test("have no script and no style in the document, which the server's policy rejects")
  func policy() throws {
    let document = try #require(try files().first { $0.name == "index.html" })
    #expect(!document.text.contains(#/ (style|on[a-z]+)="/#))
    #expect(!document.text.contains(#/<script[^>]*>[^<]/#) && !document.text.contains("<style"))
  }
}
