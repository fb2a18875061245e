import Configuration

extension Board {
  /// Whether it is the same board, perhaps with another mount and other receivers.
  func isSame(as other: Board) -> Bool {
    var other = other
    (other.mount, other.receivers) = (mount, receivers)
    return self == other
  }

  /// A copy of this board that has the mount and the receiver of `other` wherever the answers set
  /// them. Of a receiver that an answer names, only the port and the speed are copied.
  /// - Parameters:
  ///   - other: The board in use.
  ///   - mount: The answer `mount`.
  ///   - receiver: The answer `receiver`.
  /// - Returns: The copy.
  func decided(like other: Board, mount: String, receiver: String) -> Board {
    var board = self
    if mount != "keep" { board.mount = other.mount }
    switch receiver {
    case "keep": break
    case SetupAnswers.none: board.receivers = other.receivers
    case "gpsd":
      // With gpsd the daemon does not open these receivers, so only ports and speeds may differ.
      if other.receivers.allSatisfy({ $0 == Receiver(port: $0.port, baud: $0.baud) }) {
        board.receivers = other.receivers
      }
    default:
      guard let used = other.receiver else { break }
      var first = board.receiver ?? Receiver(port: used.port)
      // An answer without a speed keeps the board's own speed for that port.
      let keepsSpeed = SetupReceiver(receiver).map { $0.baud == nil } ?? false
      if !keepsSpeed || first.port != used.port { first.baud = used.baud }
      first.port = used.port
      board.receiver = first
    }
    return board
  }
}
