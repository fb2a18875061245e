import Configuration

/// The policy reader: rules in range that do not change when the file is read once more, or one
/// error with a line of the file.
struct PolicyFileBody: FuzzBody {
  private let file = ScratchFile()

  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    try file.hold(input)
    switch read() {
    case .success(let policy):
      try Self.check(policy)
      try expect(read() == .success(policy), "the same file gives another policy")
    case .failure(.notYAML(_, let line, let column, let problem)):
      try expectLine(line, of: input)
      try expect(column >= 1 && !problem.isEmpty, "column \(column): \(problem)")
    case .failure(.unknownKey(_, let line, _, let allowed)):
      try expectLine(line, of: input)
      try expect(!allowed.isEmpty, "no key is allowed")
    case .failure(.wrongValue(_, let line, _, _, let expected)):
      try expectLine(line, of: input)
      try expect(!expected.isEmpty, "no value is expected")
    case .failure(.unreadable(_, let reason)):
      let text = String(validating: Array(input), as: UTF8.self)
      try expect(text == nil && reason.contains("not UTF-8 text, line "), reason)
    case .failure(let error): throw Violation("\(error)")
    }
  }

  private func read() -> Result<Policy, PolicyError> {
    outcome { () throws(PolicyError) in
      try Policy.load(environment: ["LODESTAR_POLICY": file.path], folder: "/nonexistent")
    }
  }

  private static func check(_ policy: Policy) throws(Violation) {
    let (regions, visits) = (policy.regions, policy.visits)
    try Bounds.positive(
      regions.cushionFactor, regions.minimumCushionMetres, regions.dwellSeconds,
      regions.responseDelaySeconds, policy.significantChange.distanceMetres,
      policy.significantChange.intervalSeconds, visits.radiusMetres, visits.dwellSeconds)
    try expect(visits.radiusMetres >= 1 && visits.dwellSeconds >= 1, "\(visits)")
    try expect(policy.group?.isEmpty != true, "a group without a name")
    if let service = policy.wifiLocation {
      try expect(
        service.intervalSeconds >= 10 && service.intervalSeconds <= 86_400 && !service.url.isEmpty,
        "\(service)")
    }
    for (name, application) in policy.applications {
      try expect(Policy.isApplicationID(name), "an application '\(name)'")
      try expect(application.unit?.isEmpty != true, "a unit without a name")
      try expect(policy.unit(for: name) != nil, "no unit for '\(name)'")
    }
  }
}
