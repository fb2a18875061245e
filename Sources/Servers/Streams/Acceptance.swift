import LinuxIO
import Quantities

/// How a loop accepts connections: some in each turn, and none for a moment after an error, which
/// most probably is the limit of open files.
struct Acceptance {
  /// Limit of the connections in the kernel that are not accepted yet: all clients connect again
  /// after a restart.
  static let backlog: Int32 = 128
  /// Limit of the connections that are accepted in one turn.
  private static let most = 16
  /// Seconds without accepting after an error.
  private static let pause = 1.0

  private var fault: Timestamp?

  /// False for a moment after an error.
  mutating func isOpen() -> Bool {
    if let time = fault, MonotonicClock.now.seconds(since: time) >= Self.pause { fault = nil }
    return fault == nil
  }

  /// Accepts the connections that wait, one after another.
  /// - Parameter listener: Where they wait; nil for none.
  /// - Returns: The connections, and the error that ended this turn's accepting.
  mutating func accept(
    _ listener: StreamListener?
  ) -> (sockets: [StreamSocket], fault: NetworkError?) {
    var sockets: [StreamSocket] = []
    while sockets.count < Self.most {
      do throws(NetworkError) {
        guard let socket = try listener?.accept() else { break }
        sockets.append(socket)
      } catch {
        fault = MonotonicClock.now
        return (sockets, error)
      }
    }
    return (sockets, nil)
  }
}
