#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Any program may claim the name of any application. The policy grants more than its default only
/// to a client that is bound to the name.
extension Policy {
  /// Whether a client is bound to the name of the application that it claims: its user is root, the
  /// user of this process or one of the application's `users`, or its process belongs to the
  /// application's unit.
  /// - Parameters:
  ///   - user: The number of the client's user.
  ///   - unit: The unit of the system's service manager that the client's process belongs to; nil
  ///     for none.
  ///   - applicationID: The application.
  /// - Returns: True also for an application that the policy does not name: only the default
  ///   applies to it.
  public func isBound(user: UInt32, unit: String?, to applicationID: String) -> Bool {
    guard let application = applications[applicationID] else { return true }
    if user == 0 || user == getuid() { return true }
    if let unit, unit == application.unit || unit == Self.standardUnit(of: applicationID) {
      return true
    }
    return application.users.contains { $0.number == user }
  }

  /// Whether a client may cause the start of the application's unit of the system: it is bound to
  /// the name, also where the policy does not name the application.
  /// - Parameters:
  ///   - user: The number of the client's user.
  ///   - unit: The unit of the system's service manager that the client's process belonged to; nil
  ///     for none.
  ///   - applicationID: The application.
  /// - Returns: False where the unit may only be started by another client.
  public func startsSystemUnit(user: UInt32, unit: String?, of applicationID: String) -> Bool {
    guard applications[applicationID] == nil else {
      return isBound(user: user, unit: unit, to: applicationID)
    }
    return user == 0 || user == getuid() || unit == Self.standardUnit(of: applicationID)
  }

  /// The reason why a client that is not bound to an application's name gets less than the
  /// application.
  /// - Parameter applicationID: The application.
  /// - Returns: One line with the remedy; nil where the client gets as much.
  public func bindingFault(of applicationID: String) -> String? {
    guard let application = applications[applicationID],
      rules(for: applicationID, isBound: true) != rules(for: applicationID, isBound: false)
    else { return nil }
    let grant =
      "the policy in \(file(ofEntry: applicationID)) grants more to '\(applicationID)', but "
    guard !application.users.isEmpty else {
      return grant + "binds the name to no user: add 'users: [NAME]' to its entry"
    }
    let users = application.users.map(\.description).joined(separator: ", ")
    return grant + "only for the users \(users): add the user to 'users' of its entry"
  }

  /// The reason why a client may not calibrate the board.
  /// - Parameters:
  ///   - applicationID: The application.
  ///   - isBound: Whether the client is bound to its name.
  /// - Returns: One line with the remedy; nil where the client may calibrate.
  public func calibrationFault(for applicationID: String, isBound: Bool = true) -> String? {
    if rules(for: applicationID, isBound: isBound).grantsCalibration { return nil }
    if !isBound, rules(for: applicationID, isBound: true).grantsCalibration {
      return bindingFault(of: applicationID)
    }
    let file =
      applications[applicationID] == nil
      ? origins.file(of: "calibration") ?? Self.standardFolder : file(ofEntry: applicationID)
    return "the policy in \(file) does not grant it to '\(applicationID)': add "
      + "'calibration: grant' and 'users: [NAME]' to its entry"
  }

  /// The names in `users` that the user database did not have; they admit no client.
  /// - Returns: One line for each, with the remedy.
  public func unknownUsers() -> [String] {
    applications.sorted { $0.key < $1.key }.flatMap { id, application in
      application.users.filter { $0.number == nil }.map { user in
        "the policy's user '\(user)' of '\(id)' does not exist and admits no client: correct "
          + "'users' of its entry in \(file(ofEntry: id)), or create the user with 'useradd \(user)'; "
          + "then reload the policy"
      }
    }
  }

  /// The rules for a client.
  func rules(for applicationID: String, isBound: Bool) -> EffectiveRules {
    let standard = EffectiveRules(defaultOf: self)
    guard let application = applications[applicationID] else { return standard }
    let own = EffectiveRules(application, self)
    return isBound ? own : own.stricter(standard)
  }

  static func standardUnit(of applicationID: String) -> String {
    "corelocation-app@\(applicationID).service"
  }
}
