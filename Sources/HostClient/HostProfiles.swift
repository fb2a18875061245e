import HostProtocol

extension HostClient {
  /// Timeout of an answer, seconds: another writer may hold the lock for 10 s, and a memory card
  /// may be slow.
  private static let profileTimeout = 20.0

  /// Sends a request about the host's stored calibrations and waits for the answer.
  /// - Parameter order: The request.
  /// - Returns: The calibrations; after a change the new one alone.
  /// - Throws: `HostError`, also for a request that is too large for a message.
  public func profiles(_ order: ProfileOrder) throws(HostError) -> ProfileReport {
    let size = ClientMessage.profiles(id: .max, order).line.count
    guard size <= LineLimit.request else {
      throw .refused(
        HostFault(
          .tooLong,
          "the calibration has \(size) bytes as a message, at most \(LineLimit.request) are accepted; reduce the file"
        ))
    }
    let answer = try core.ask(seconds: Self.profileTimeout) { .profiles(id: $0, order) }
    guard case .profiles(_, let report) = answer else {
      throw .refused(
        HostFault(.malformed, "the answer to a request for calibrations has another type"))
    }
    return report
  }
}
