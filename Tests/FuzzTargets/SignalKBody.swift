import Formats
import Quantities

/// The messages of Signal K's clients: texts of limited length, and subscriptions that send only
/// what they cover.
struct SignalKBody: FuzzBody {
  private static let mostInText = 256

  private let model: SignalKModel = {
    var estimate = Estimate(timestamp: Timestamp(nanoseconds: 1))
    estimate.magneticHeading = MagneticHeading(Angle(degrees: 90))
    estimate.rateOfTurn = AngularSpeed(radiansPerSecond: 0)
    var model = SignalKModel()
    model.update(estimate, sky: nil, at: estimate.timestamp)
    return model
  }()

  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    let bytes = Array(input)
    guard let request = SignalKRequest(bytes) else { return }
    try expect(SignalKRequest(bytes) == request, "the same message gives another request")
    try expect(
      request.ended.count + request.subscriptions.count <= input.count,
      "more entries than bytes")
    for text in request.ended + [request.context, request.identifier].compactMap({ $0 }) {
      try expect(text.utf8.count <= Self.mostInText, "a text of \(text.utf8.count) bytes")
    }
    var subscriptions = SignalKSubscriptions()
    var accepted = 0
    for subscription in request.subscriptions where subscriptions.add(subscription) {
      accepted += 1
    }
    try expect(
      accepted >= min(1, request.subscriptions.count), "the first subscription is refused")
    let now = Timestamp(nanoseconds: 2)
    let due = subscriptions.due(model, at: now)
    try expect(
      due.isEmpty || SignalKDelta.message(due, of: model, context: request.context) != nil,
      "no message for \(due)")
    try expect(subscriptions.due(model, at: now).isEmpty, "a value is sent twice at one time")
    subscriptions.end("*")
    try expect(subscriptions.isEmpty, "a subscription remains")
    for pattern in request.ended {
      _ = SignalKSubscription.matches(pattern, request.context)
    }
  }
}
