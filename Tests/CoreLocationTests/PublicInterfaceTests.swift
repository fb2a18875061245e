import Foundation
import Testing

@Suite(.timeLimit(.minutes(30))) struct PublicInterfaceTests {
  @Test("only Foundation is imported in a way that shows in the public interface")
  func imports() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let folder = root.appendingPathComponent("Sources/CoreLocation")
    let files = try #require(FileManager.default.enumerator(atPath: folder.path))
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
    #expect(files.count > 10)
    for file in files {
      let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      let imports = text.split(separator: "\n").filter { $0.contains("import ") }
        .filter { !$0.hasPrefix("//") && !$0.hasPrefix(" ") }
      for line in imports where line != "@_exported import Foundation" {
        #expect(line.hasPrefix("internal import ") || line.hasPrefix("package import "), "\(file)")
      }
    }
  }
}
