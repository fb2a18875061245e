import ArgumentParser
import BoardFile
import Engine
import Quantities

/// Which board, and how it sits on the body.
struct BoardOptions: ParsableArguments {
  @Option(
    help:
      "A board file: sensors, mount, trim, receiver; or the name of one that is installed, such as gy-91."
  )
  var board: String?

  @Option(
    help:
      "What the board's x, y and z point at, such as forward,left,up, or auto; overrides the board file."
  )
  var mount: MountArgument?

  /// Where the board's file is; nil where none was named.
  var path: String? { board.map { BoardLibrary.path(of: $0) } }

  /// The board by its file with the mount that was given, where either was.
  func apply(to configuration: inout PipelineConfiguration) throws(Failure) {
    if let named = try named() { configuration.board = named }
    if let mount { configuration.board.mount = mount.mount }
  }

  /// The board by its file; nil where none was named.
  func named() throws(Failure) -> Board? {
    guard let board else { return nil }
    return try Self.parsed(board)
  }

  /// A board by its file or name.
  static func parsed(_ name: String) throws(Failure) -> Board {
    do throws(BoardFileError) {
      return try BoardLibrary.board(named: name)
    } catch {
      switch error {
      case .unreadable: throw .board("\(error)")
      // A fault of the text, as in any other input.
      case .refused: throw .input("\(error)")
      }
    }
  }
}

/// A mount of the command line: three axis words of a right-handed set, or auto.
struct MountArgument: ExpressibleByArgument {
  let mount: Mounting

  init?(argument: String) {
    if argument == "auto" {
      mount = .automatic
      return
    }
    let words = argument.split(separator: ",").map { AxisDirection(rawValue: String($0)) }
    guard words.count == 3, let x = words[0], let y = words[1], let z = words[2],
      let mount = AxisMount(x: x, y: y, z: z)
    else { return nil }
    self.mount = .axes(mount)
  }
}
