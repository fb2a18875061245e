import Configuration

extension Board {
  /// Whether it is the same board, perhaps with another mount and other receivers.
  func isSame(as other: Board) -> Bool {
    var other = other
    (other.mount, other.receivers) = (mount, receivers)
    return self == other
  }

  /// This board with what the answers decide as it is in another one: the mount, whether there is a
  /// receiver, and the first one's port and speed. All else is this board's.
  /// - Parameters:
  ///   - other: The board in use.
  ///   - mount: The answer `mount`.
  ///   - receiver: The answer `receiver`.
  /// - Returns: The board that the answers make of this one, where they have made the other one.
  func decided(like other: Board, mount: String, receiver: String) -> Board {
    var board = self
    if mount != "keep" { board.mount = other.mount }
    switch receiver {
    case "keep": break
    case SetupAnswers.none: board.receivers = other.receivers
    case "gpsd":
      // The daemon does not read them: ports alone may be others.
      if other.receivers.allSatisfy({ $0 == Receiver(port: $0.port, baud: $0.baud) }) {
        board.receivers = other.receivers
      }
    default:
      guard let used = other.receiver else { break }
      var first = board.receiver ?? Receiver(port: used.port)
      // A port without a speed is no other answer than the board's own receiver there.
      let keepsSpeed = SetupReceiver(receiver).map { $0.baud == nil } ?? false
      if !keepsSpeed || first.port != used.port { first.baud = used.baud }
      first.port = used.port
      board.receiver = first
    }
    return board
  }
}
