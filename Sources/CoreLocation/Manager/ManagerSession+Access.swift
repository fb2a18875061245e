// Authorization and accuracy.
extension ManagerSession {
  func requestAuthorization(_ wanted: CLAuthorizationStatus) {
    services.requestAuthorization(wanted)
  }

  /// Asks on a queue of its own, for the daemon may take its time; the completion comes where the delegate is
  /// called, also to a program that has let the manager go.
  func requestFullAccuracy(_ purposeKey: String, _ completion: (((any Error)?) -> Void)?) {
    let answer = Answer(body: completion)
    DispatchQueue.global().async { [services, context] in
      let refusal = services.authority.requestFullAccuracy(purposeKey: purposeKey)
      context.call { answer.body?(refusal) }
    }
  }
}

/// A program's completion, which is called at the manager's place alone.
private struct Answer: @unchecked Sendable {
  let body: (((any Error)?) -> Void)?
}
