import ArgumentParser
import Board
import Configuration
import FoundationEssentials
import Pipeline
import Quantities
import Servers

/// The board and its mount on the body.
struct BoardOptions: ParsableArguments {
  @Option(
    help:
      "A board file (sensors, mount, trim, receiver), or the name of an installed one, such as gy-91.",
    completion: .board)
  var board: String?

  @Option(
    help: ArgumentHelp(
      "The directions of the board's x, y and z axes, such as forward,left,up, or auto; overrides the board file.",
      valueName: "x,y,z"))
  var mount: MountArgument?

  /// The path of the board file; nil if none was named.
  var path: String? { board.map { BoardLibrary.path(of: $0) } }

  /// Applies the board file and the mount, if given.
  func apply(to configuration: inout PipelineConfiguration) throws(Failure) {
    if let named = try named() { configuration.board = named }
    if let mount { configuration.board.mount = mount.mount }
  }

  /// The board of the file; nil if none was named.
  func named() throws(Failure) -> Board? {
    guard let board else { return nil }
    return try Self.parsed(board)
  }

  /// The board that the daemon's file names; nil without one.
  static func ofDaemon() throws(Failure) -> String? {
    let path = "/etc/lodestar/serve.yaml"
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    do throws(ServeFileError) {
      return try ServeFile(path: path)["board"]
    } catch {
      throw .input("\(error)")
    }
  }

  /// The board of a file or name.
  static func parsed(_ name: String) throws(Failure) -> Board {
    do throws(BoardFileError) {
      return try BoardLibrary.board(named: name)
    } catch {
      switch error {
      case .unreadable: throw .board("\(error)")
      // An error in the text has the status of any other input.
      case .refused: throw .input("\(error)")
      }
    }
  }
}

/// A mount on the command line: three axis words of a right-handed set, or auto.
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
    else {
      RefusedValue.explain(
        words.count == 3 && words.allSatisfy { $0 != nil }
          ? "the three directions make no right-handed set of axes; forward,left,up is one"
          : "expected the directions of x, y and z, such as forward,left,up, or auto")
      return nil
    }
    self.mount = .axes(mount)
  }
}
