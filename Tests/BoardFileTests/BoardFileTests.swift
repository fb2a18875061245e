import BoardFile
import Foundation
import Quantities
import TestSupport
import Testing

@Suite("Board files")
struct BoardFileTests {
  @Test("every file in Boards is taken and has a name")
  func allBoards() throws {
    let folder = SharedData.repository.appendingPathComponent("Boards")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".yaml") }
    #expect(files.count >= 2)
    for file in files {
      let board = try Board(path: folder.appendingPathComponent(file).path)
      #expect(!board.name.isEmpty)
    }
  }

  @Test("mount, trim and receiver are read")
  func whole() throws {
    let board = try Board(
      yaml: """
        board: Mast head
        mount: {x: right, y: forward, z: up}
        trim: {heading: -3.5, roll: 2}
        receiver: {port: /dev/ttyS1, baud: 38400}
        """, path: "b.yaml")
    #expect(board.name == "Mast head")
    #expect(board.mount.rotation == AxisMount(x: .right, y: .forward, z: .up)?.rotation)
    #expect(abs(board.trim.heading.degrees + 3.5) < 1e-12)
    #expect(abs(board.trim.roll.degrees - 2) < 1e-12)
    #expect(board.receiver == Board.Receiver(port: "/dev/ttyS1", baud: 38_400))
  }

  @Test("the trim turns what the mount has placed: heading clockwise")
  func trim() throws {
    let board = try Board(yaml: "board: B\ntrim: {heading: 90}\n", path: "b.yaml")
    // The sensor's x axis points forward by its mount; trimmed by 90 degrees it points right.
    let x = board.mounting.rotate(SIMD3(1, 0, 0))
    #expect((x - SIMD3(0, 1, 0)).length < 1e-12)
  }

  @Test(
    "a bad file is refused with line, column and what is allowed",
    arguments: [
      ("", 1, 1, "board"),
      ("- a\n", 1, 1, "board, mount, trim, sensors, receiver"),
      ("mount: {x: forward, y: left, z: up}\n", 1, 1, "board: NAME"),
      ("board: B\nmout: {}\n", 2, 1, "board, mount, trim, sensors, receiver"),
      ("board: B\nmount: {x: forwards, y: left, z: up}\n", 2, 12, "forward, backward"),
      ("board: B\nmount: {x: forward, y: left}\n", 2, 8, "x, y and z"),
      ("board: B\nmount:\n  x: forward\n  y: right\n  z: up\n", 3, 3, "cross product"),
      ("board: B\ntrim: {roll: much}\n", 2, 14, "-180 to 180"),
      ("board: B\nreceiver: {port: /dev/x, baud: 1234}\n", 2, 32, "9600"),
      ("board: B\nreceiver: {baud: 9600}\n", 2, 11, "port"),
      ("board: B\n  mount: x\n", 2, 8, "YAML"),
    ])
  func refusals(yaml: String, line: Int, column: Int, allowed: String) {
    var caught: BoardFileError?
    do { _ = try Board(yaml: yaml, path: "b.yaml") } catch { caught = error }
    guard case .refused(_, let l, let c, _, let text) = caught else {
      Issue.record("not refused: \(String(describing: caught))")
      return
    }
    #expect(l == line && c == column, "\(l):\(c)")
    #expect(text.contains(allowed), "\(text)")
  }

  @Test("a missing file is named")
  func missing() {
    #expect(throws: BoardFileError.unreadable(path: "/nowhere.yaml", reason: "no such file")) {
      _ = try Board(path: "/nowhere.yaml")
    }
  }
}
